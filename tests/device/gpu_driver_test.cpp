// The folder of a CUDA or HIP MEP as someone without Hone meets it: on this processor by g++ alone, and as on a GPU
// machine, by nvcc over the stand-in runtime.

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "mep/folder.hpp"
#include "os/files.hpp"
#include "os/process.hpp"
#include "worker/client.hpp"

namespace hone {
namespace {

/// Everything the driver must get right at once: an instance of a template, namespaces, variables of the source,
/// dynamic shared memory, barriers, exchanges between lanes, a tail.
constexpr auto kManifest = R"toml(format = 1
name = "sum"
language = "cuda"
fidelity = { values = "C", mutants = "0/0", reasons = ["written by hand"] }
contract = []
options = ["-DSCALE=2"]
buffer = [
  { name = "X", type = "float", extent = "n", fill = "uniform(-1,1)" },
  { name = "Y", type = "float", extent = "n", fill = "zero" },
  { name = "weights", type = "float", extent = "4", fill = "uniform(0,1)" },
]
[[kernel]]
name = "sum<float, 4>"
arguments = [
  { name = "x", buffer = "float", access = "read" },
  { name = "y", buffer = "float", access = "write" },
  { name = "n", scalar = "int" },
  { name = "s", local = "float" },
  { name = "weights", buffer = "float", access = "read" },
]
[[workload]]
name = "tune"
role = "tune"
scalars = { n = 4096 }
launches = [ { kernel = "sum<float, 4>", arguments = { x = "X", y = "Y", n = "n", s = "64", weights = "weights" }, global = ["round_up(n, 64)"], local = [64] } ]
[[workload]]
name = "awkward"
role = "awkward"
scalars = { n = 1003 }
launches = [ { kernel = "sum<float, 4>", arguments = { x = "X", y = "Y", n = "n", s = "64", weights = "weights" }, global = ["round_up(n, 64)"], local = [64] } ]
)toml";
constexpr auto kSource = R"(namespace data {
__constant__ float weights[4];
}
namespace work {
using data::weights;
template <class T, int N>
__global__ void __launch_bounds__(64) sum(const T* x, T* y, int n) {
  extern __shared__ float s[];
  __shared__ float part[2];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] * weights[t % N] * SCALE : 0;
  __syncthreads();
  float v = s[63 - t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) part[t / 32] = v;
  __syncthreads();
  if (i < n) y[i] = part[0] - part[1] + t;
}
template __global__ void sum<float, 4>(const float*, float*, int);
}  // namespace work
)";

class GpuDriver : public ::testing::TestWithParam<Language> {
 protected:
  /// Writes the folder with what K(0) computes on the emulator.
  void SetUp() override {
    worker::WorkerOptions options;
    options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
    options.device = "emulator:" + std::string(name_of(GetParam()));
    auto session = worker::WorkerSessions(options).start();
    if (!session && std::getenv("HONE_MUST_RUN") == nullptr) GTEST_SKIP() << session.error().message();
    ASSERT_TRUE(session) << session.error().text();
    auto folder = os::TempFolder::make();
    ASSERT_TRUE(folder);
    folder_ = std::make_unique<os::TempFolder>(std::move(*folder));
    const auto mep = mep_from_files({{"mep.toml", in_language(kManifest)},
                                     {"kernel" + std::string(source_extension(GetParam())), in_language(kSource)}},
                                    "sum");
    ASSERT_TRUE(mep) << mep.error().text();
    const auto expected = mep::expect(*mep, **session);
    ASSERT_TRUE(expected) << expected.error().text();
    const auto files = mep::mep_folder(*mep, "", *expected, (*session)->device());
    ASSERT_TRUE(files) << files.error().text();
    ASSERT_TRUE(os::write_folder(folder_->path(), *files));
    const Variant winner{GetParam(), replace_all(mep->source, "s[63 - t]", "s[t ^ 63]"), {}, mep->options};
    const auto best = mep::best_folder(*mep, winner, (*session)->device());
    ASSERT_TRUE(best) << best.error().text();
    ASSERT_TRUE(os::write_folder(folder_->path() / "best", *best));
  }
  static std::string in_language(const std::string& text) {
    if (GetParam() == Language::Cuda) return text;
    return replace_all(replace_all(text, "\"cuda\"", "\"hip\""), "__shfl_down_sync(~0u, ", "__shfl_down(");
  }
  os::Finished start(const std::vector<std::string>& words,
                     const std::map<std::string, std::string>& environment = {}) {
    os::Command command;
    command.words = words;
    command.folder = folder_->path();
    command.environment = environment;
    auto finished = os::run(command, "", Milliseconds(120000));
    EXPECT_TRUE(finished) << finished.error().text();
    return *finished;
  }
  void replace(const std::string& from, const std::string& to) {
    const auto file = folder_->path() / ("kernel" + std::string(source_extension(GetParam())));
    const auto text = os::read_text(file);
    ASSERT_TRUE(text && text->find(from) != std::string::npos) << from;
    ASSERT_TRUE(os::write_text(file, replace_all(*text, from, to)));
  }
  std::unique_ptr<os::TempFolder> folder_;
};

TEST_P(GpuDriver, IsCheckedOnAnyMachineByACompilerOfTheHost) {
  const auto made = start({"make", "emulate", "CFLAGS=-Werror"});
  ASSERT_EQ(made.exit.code, 0) << made.out << made.err;
  const auto fine = start({"./run-emulated", "--check", "--compare", "best"});
  EXPECT_EQ(fine.exit.code, 0) << fine.out << fine.err;
  for (const auto* part : {"tune (tune)", "awkward (awkward)", "as expected", "outputs agree"})
    EXPECT_NE(fine.out.find(part), std::string::npos) << part << "\n" << fine.out;
  EXPECT_EQ(fine.out.find(" ms"), std::string::npos) << "no time of anything";
  EXPECT_EQ(start({"./run-emulated", "--time"}).exit.code, 2);

  replace("part[0] - part[1]", "part[0] + part[1]");
  const auto wrong = start({"./run-emulated", "--check"});
  EXPECT_EQ(wrong.exit.code, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("NOT as expected"), std::string::npos) << wrong.out;
  replace("int t = threadIdx.x", "int t = nonsense");
  EXPECT_EQ(start({"./run-emulated", "--check"}).exit.code, 1) << "what does not build is an answer";
}

TEST_P(GpuDriver, RunsAsOnAGpuMachine) {
  if (os::find_program("nvcc").empty()) GTEST_SKIP() << "no nvcc here";
  const bool cuda = GetParam() == Language::Cuda;
  const auto made = start({"make", "CFLAGS=-Werror"});
  ASSERT_EQ(made.exit.code, 0) << made.out << made.err;
  const std::string compiler = cuda ? "nvcc -arch=sm_80 -cudart shared --no-compress -shared -Xcompiler -fPIC"
                                    : HONE_SOURCE_DIR "/tests/standin/hip/hipcc -D__HIPCC__ -O3 -w -shared -fPIC";
  const auto fine = start({"./run", "--check", "--time", "--compare", "best", "--runs", "2"},
                          {{"COMPILER", compiler}, {"LD_LIBRARY_PATH", HONE_BINARY_DIR "/standin"}});
  EXPECT_EQ(fine.exit.code, 0) << fine.out << fine.err;
  for (const auto* part : {"as expected", "median of 2", "speedup"})
    EXPECT_NE(fine.out.find(part), std::string::npos) << part << "\n" << fine.out;
}

INSTANTIATE_TEST_SUITE_P(Languages, GpuDriver, ::testing::Values(Language::Cuda, Language::Hip),
                         [](const auto& language) { return std::string(name_of(language.param)); });

}  // namespace
}  // namespace hone
