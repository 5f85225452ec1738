// The layer before a real runtime: an application of examples/, built as its authors would, does what it did before,
// and the layer tells what it launched.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "os/files.hpp"

namespace hone {
namespace {

TEST(Layer, TellsWhatAnUnmodifiedProgramLaunches) {
  const auto folder = *os::TempFolder::make("hone-layer");
  const auto application = folder.path() / "matmul", record = folder.path() / "record";
  std::filesystem::copy(std::string(HONE_SOURCE_DIR) + "/examples/matmul", application,
                        std::filesystem::copy_options::recursive);
  std::filesystem::create_directory(record);
  const auto run = "cd " + application.string() +
                   " && make -s clean && make -s && OPENCL_LAYERS=" HONE_BINARY_DIR
                   "/bin/libhone_layer.so HONE_LAYER_FOLDER=" +
                   record.string() + " make -s check >run.log 2>&1";
  ASSERT_EQ(std::system(run.c_str()), 0) << *os::read_text(application / "run.log");

  std::size_t launches = 0;
  for (const auto& entry : std::filesystem::directory_iterator(record)) {
    std::ifstream in(entry.path());
    for (std::string line; entry.path().extension() == ".jsonl" && std::getline(in, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event["event"] != "launch" || event["kernel"] != "matmul") continue;
      ++launches;
      EXPECT_EQ(event["global"].size(), 2U);
      EXPECT_EQ(event["arguments"][0].count("buffer"), 1U) << line;
      const auto source = os::read_text(record / (event["source"].get<std::string>() + ".cl"));
      ASSERT_TRUE(source);
      EXPECT_NE(source->find("matmul"), std::string::npos);
    }
  }
  EXPECT_GT(launches, 0U);
}

}  // namespace
}  // namespace hone
