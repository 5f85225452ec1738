#include "layer/recorder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "os/files.hpp"

namespace hone::layer {
namespace {

class Recording : public testing::Test {
 protected:
  std::vector<nlohmann::json> events() const {
    std::vector<nlohmann::json> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::ifstream in(entry.path());
      for (std::string line; entry.path().extension() == ".jsonl" && std::getline(in, line);)
        if (auto event = nlohmann::json::parse(line); event["event"] != "loaded") out.push_back(std::move(event));
    }
    return out;
  }
  os::TempFolder folder_ = *os::TempFolder::make("hone-recording");
  int program_ = 0, kernel_ = 0, other_ = 0, buffer_ = 0;
};

TEST_F(Recording, ALaunchSaysItsSourceItsSizesAndItsArguments) {
  Recorder recorder(folder_.path().string());
  recorder.program(&program_, "kernel void k(global int* a, int n, local int* t) {}");
  recorder.build(&program_, "-DN=4");
  recorder.kernel(&kernel_, &program_, "k");
  recorder.buffer(&buffer_, 64);
  const void* handle = &buffer_;
  const int n = 7;
  recorder.argument(&kernel_, 0, sizeof handle, &handle);
  recorder.argument(&kernel_, 1, sizeof n, &n);
  recorder.argument(&kernel_, 2, 128, nullptr);
  recorder.launch(&kernel_, {{32, 2}, {8, 1}, {}});
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["kernel"], "k");
  EXPECT_EQ(all[0]["options"], "-DN=4");
  EXPECT_EQ(all[0]["global"], nlohmann::json({32, 2}));
  EXPECT_EQ(all[0]["arguments"],
            nlohmann::json::parse(R"([{"buffer":1,"size":64},{"bytes":"07000000"},{"local":128}])"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / (all[0]["source"].get<std::string>() + ".cl")));
}

TEST_F(Recording, TwoObjectsOfOneKernelKeepTheirOwnArguments) {
  Recorder recorder(folder_.path().string());
  recorder.kernel(&kernel_, &program_, "k");
  recorder.kernel(&other_, &program_, "k");
  const int one = 1, two = 2;
  recorder.argument(&kernel_, 0, sizeof one, &one);
  recorder.argument(&other_, 0, sizeof two, &two);
  recorder.launch(&kernel_, {{1}, {}, {}});
  EXPECT_EQ(events()[0]["arguments"][0]["bytes"], "01000000");
}

TEST_F(Recording, ALinkedProgramHasTheTextOfItsParts) {
  Recorder recorder(folder_.path().string());
  recorder.program(&program_, "kernel void k() {}");
  recorder.program(&buffer_, "void helper() {}");
  recorder.linked(&other_, {&program_, &buffer_});
  recorder.kernel(&kernel_, &other_, "k");
  recorder.launch(&kernel_, {{1}, {}, {}});
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  const auto text = os::read_text(folder_.path() / (all[0]["source"].get<std::string>() + ".cl"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "kernel void k() {}\nvoid helper() {}\n");
}

TEST_F(Recording, AProgramThatLaunchesWithoutEndIsCut) {
  Recorder recorder(folder_.path().string(), 3);
  recorder.kernel(&kernel_, &program_, "k");
  for (int i = 0; i < 10; ++i) recorder.launch(&kernel_, {{1}, {}, {}});
  const auto all = events();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2]["event"], "cut");
}

TEST_F(Recording, ThreadsDoNotMixTheirLines) {
  Recorder recorder(folder_.path().string());
  recorder.kernel(&kernel_, &program_, "k");
  const auto work = [&] {
    for (int i = 0; i < 200; ++i) recorder.launch(&kernel_, {{1}, {}, {}});
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  EXPECT_EQ(events().size(), 400U);
}

TEST_F(Recording, AFolderThatIsNotThereIsNoFault) {
  Recorder recorder((folder_.path() / "missing").string());
  recorder.kernel(&kernel_, &program_, "k");
  recorder.launch(&kernel_, {{1}, {}, {}});
  EXPECT_TRUE(events().empty());
}

}  // namespace
}  // namespace hone::layer
