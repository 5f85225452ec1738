#include "store/noise_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hone::store {
namespace {

class KeptNoise : public testing::Test {
 protected:
  ~KeptNoise() override { std::filesystem::remove_all(folder_); }
  NoiseFile file(const std::string& device = "cpu") {
    return NoiseFile(
        folder_, [device] { return DeviceInfo{"0", device, "1", "cpu", {}}; }, [this] { return machine_; });
  }
  std::string folder_ =
      (std::filesystem::temp_directory_path() / ("hone-noise-" + std::to_string(::getpid()))).string();
  MachineState machine_{0.2, "boot", 1e9};
};

TEST_F(KeptNoise, IsKnownToTheNextRunOnTheSameDeviceInTheSameState) {
  EXPECT_FALSE(file().known());
  file().keep(0.013);
  EXPECT_DOUBLE_EQ(file().known().value(), 0.013);
  EXPECT_FALSE(file("another").known());
}

TEST_F(KeptNoise, IsMeasuredAgainInAnotherState) {
  file().keep(0.013);
  machine_.load = 1.4;
  EXPECT_FALSE(file().known()) << "others use the machine now";
  machine_.load = 0.3;
  EXPECT_TRUE(file().known());
  machine_.seconds += 2 * 86400;
  EXPECT_FALSE(file().known()) << "old";
  machine_.seconds -= 2 * 86400;
  machine_.boot = "another";
  EXPECT_FALSE(file().known()) << "started again";
}

TEST_F(KeptNoise, SaysWhenItWasMeasured) {
  file().keep(0.013);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/noise")) {
    std::ifstream kept(entry.path());
    const std::string text((std::istreambuf_iterator<char>(kept)), {});
    EXPECT_NE(text.find("2001-09-09 01:46"), std::string::npos) << text;
    EXPECT_NE(text.find("\"load\": 0.2"), std::string::npos) << text;
  }
}

TEST_F(KeptNoise, AFileThatIsNoneIsNone) {
  file().keep(0.013);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/noise")) std::ofstream(entry.path()) << "[1";
  EXPECT_FALSE(file().known());
}

}  // namespace
}  // namespace hone::store
