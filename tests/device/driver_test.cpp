// A MEP folder as someone without Hone meets it: make, ./run, and what it says when the kernel is no longer the same.

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "mep/folder.hpp"
#include "os/files.hpp"
#include "os/process.hpp"
#include "support/start_worker.hpp"
#include "worker/client.hpp"

namespace hone {
namespace {

const std::string kSource = HONE_SOURCE_DIR;

Mep read_mep(const std::string& folder) {
  const auto files = os::read_folder(folder);
  EXPECT_TRUE(files) << files.error().text();
  auto mep = mep_from_files(*files, folder);
  EXPECT_TRUE(mep) << mep.error().text();
  return *mep;
}

/// One process and one made folder for all tests: what a test changes in it, it puts back.
class Driver : public ::testing::Test {
 protected:
  void SetUp() override {
    if (session_) return;
    worker::WorkerOptions options;
    options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
    auto session = worker::WorkerSessions(options).start();
    HONE_SESSION_OR_SKIP(session);
    session_ = std::move(*session);
    auto folder = os::TempFolder::make();
    ASSERT_TRUE(folder);
    folder_ = std::make_unique<os::TempFolder>(std::move(*folder));
  }
  static void TearDownTestSuite() {
    session_.reset();
    folder_.reset();
  }

  /// Writes the folder with what K(0) computes here, and makes it.
  void make(const Mep& mep) {
    const auto expected = mep::expect(mep, *session_);
    ASSERT_TRUE(expected) << expected.error().text();
    const auto files = mep::mep_folder(mep, "", *expected, session_->device());
    ASSERT_TRUE(files) << files.error().text();
    write(*files);
    if (os::read_text(folder_->path() / "run")) return;  // the program is the same for every MEP
    const auto made = start({"make", "CFLAGS=-Werror"});
    ASSERT_EQ(made.exit.code, 0) << made.out << made.err;
  }
  void write(const Files& files, const std::string& below = "") {
    const auto written = os::write_folder(folder_->path() / below, files);
    ASSERT_TRUE(written) << written.error().text();
  }
  os::Finished start(const std::vector<std::string>& words) {
    os::Command command;
    command.words = words;
    command.folder = folder_->path();
    command.environment["POCL_CACHE_DIR"] = (folder_->path() / "cache").string();
    auto finished = os::run(command, "", Milliseconds(120000));
    EXPECT_TRUE(finished) << finished.error().text();
    return *finished;
  }
  os::Finished run(std::vector<std::string> words) {
    words.insert(words.begin(), "./run");
    return start(words);
  }
  void replace(const std::string& file, const std::string& from, const std::string& to) {
    const auto text = os::read_text(folder_->path() / file);
    ASSERT_TRUE(text);
    ASSERT_NE(text->find(from), std::string::npos) << from;
    ASSERT_TRUE(os::write_text(folder_->path() / file, replace_all(*text, from, to)));
  }

  static inline std::unique_ptr<DeviceSession> session_;
  static inline std::unique_ptr<os::TempFolder> folder_;
};

TEST_F(Driver, ChecksAndTimesAMatrixProductAndSeesWhenItIsAnother) {
  make(read_mep(kSource + "/tests/cli/gemm.mep"));
  const auto fine = run({"--check", "--time", "--runs", "3"});
  EXPECT_EQ(fine.exit.code, 0) << fine.out << fine.err;
  for (const auto* part : {"tune (tune)", "held-out (held-out)", "awkward (awkward)", "as expected", "median of 3"})
    EXPECT_NE(fine.out.find(part), std::string::npos) << part << "\n" << fine.out;

  replace("kernel.cl", "sum += a", "sum -= a");
  const auto wrong = run({"--check", "--workload", "awkward"});
  EXPECT_EQ(wrong.exit.code, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("NOT as expected"), std::string::npos) << wrong.out;
  EXPECT_NE(wrong.out.find("C: element"), std::string::npos) << wrong.out;
  EXPECT_EQ(wrong.out.find("tune (tune)"), std::string::npos) << wrong.out;

  replace("kernel.cl", "float sum", "flaot sum");
  EXPECT_EQ(run({"--check"}).exit.code, 1);
}

TEST_F(Driver, ComparesTheWinnerWithTheOriginalElementByElement) {
  const auto mep = read_mep(kSource + "/tests/cli/gemm.mep");
  make(mep);
  EXPECT_EQ(run({"--compare", "best", "--workload", "awkward"}).exit.code, 2) << "there is no winner yet";

  const auto files = os::read_folder(kSource + "/tests/cli/gemm-tiles");
  ASSERT_TRUE(files);
  const auto tiles = template_from_files(*files, "gemm-tiles");
  ASSERT_TRUE(tiles) << tiles.error().text();
  const auto winner = instantiate_source(*tiles, default_configuration(tiles->space));
  ASSERT_TRUE(winner) << winner.error().text();
  const auto best = mep::best_folder(mep, *winner, session_->device());
  ASSERT_TRUE(best) << best.error().text();
  write(*best, "best");
  const auto fine = run({"--check", "--time", "--compare", "best", "--runs", "2"});
  EXPECT_EQ(fine.exit.code, 0) << fine.out << fine.err;
  EXPECT_NE(fine.out.find("speedup"), std::string::npos) << fine.out;

  auto almost = *winner;
  almost.source = mep.source;
  almost.launches.clear();
  almost.source = replace_all(almost.source, "= sum;", "= i == 66 && j == 100 ? sum + 0.01f : sum;");
  const auto wrong = mep::best_folder(mep, almost, session_->device());
  ASSERT_TRUE(wrong);
  write(*wrong, "best");
  const auto refused = run({"--compare", "best", "--workload", "awkward"});
  EXPECT_EQ(refused.exit.code, 1) << refused.out << refused.err;
  EXPECT_NE(refused.out.find("C: 1 of 6767 elements differ; element 6766"), std::string::npos) << refused.out;
  EXPECT_NE(refused.out.find("DIFFER"), std::string::npos) << refused.out;
}

const char* const kEverything = R"toml(
name = "everything"
language = "opencl"
options = ["-DSCALE=3"]
[check]
relative = 1e-5
[[struct]]
name = "Params"
fields = [ { name = "shift", type = "int" }, { name = "gain", type = "double" }, { name = "tint", type = "float4" } ]
[[struct]]
name = "Body"
fields = [ { name = "id", type = "int" }, { name = "at", type = "float3" }, { name = "tag", type = "uchar", count = 2 } ]
[[buffer]]
name = "Bodies"
type = "Body"
extent = "n"
fill = "zero"
[[buffer]]
name = "Ping"
type = "uint"
extent = "n"
fill = "permutation(64)"
[[buffer]]
name = "Pong"
type = "uint"
extent = "n"
fill = "zero"
[[image]]
name = "Picture"
channel_order = "RGBA"
channel_type = "unorm_int8"
width = 16
height = 8
fill = "uniform(0,1)"
[[image]]
name = "Painted"
channel_order = "RGBA"
channel_type = "float"
width = 16
height = 8
fill = "zero"
[[kernel]]
name = "turn"
arguments = [ { name = "from", buffer = "uint", access = "read" }, { name = "to", buffer = "uint", access = "write" },
              { name = "tmp", local = "uint" }, { name = "k", scalar = "ulong" } ]
[[kernel]]
name = "paint"
arguments = [ { name = "in", image = "", access = "read" }, { name = "out", image = "", access = "write" },
              { name = "s", sampler = "" }, { name = "p", struct = "Params" }, { name = "bodies", buffer = "Body", access = "readwrite" } ]
[[workload]]
name = "all of it"
role = "tune"
scalars = { n = 256 }
launches = [
  { loop = "k in 0..5", launches = [ { kernel = "turn", global = ["n - 64"], local = [32], offset = [64], arguments = { from = "Ping if k % 2 == 0 else Pong", to = "Pong if k % 2 == 0 else Ping", tmp = 32, k = "k + 2**40" } } ] },
  { kernel = "paint", global = [16, 8], arguments = { in = "Picture", out = "Painted", s = "'linear repeat normalized'", p = { shift = -2, gain = 0.1 }, bodies = "Bodies" } } ]
)toml";

const char* const kEverythingSource = R"cl(
typedef struct { int shift; double gain; float4 tint; } Params;
typedef struct { int id; float3 at; uchar tag[2]; } Body;
kernel void turn(global const uint* from, global uint* to, local uint* tmp, ulong k) {
  tmp[get_local_id(0)] = from[get_global_id(0)] * SCALE + (uint)(k >> 38);
  barrier(CLK_LOCAL_MEM_FENCE);
  to[get_global_id(0)] = tmp[get_local_size(0) - 1 - get_local_id(0)] + (uint)get_global_id(0);
}
kernel void paint(read_only image2d_t in, write_only image2d_t out, sampler_t s, Params p, global Body* bodies) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 c = read_imagef(in, s, (float2)((at.x + 0.25f) / 16, (at.y + 0.75f) / 8));
  write_imagef(out, at, c * (float)p.gain + p.tint);
  int i = at.y * 16 + at.x;
  bodies[i].id += i + p.shift;
  bodies[i].at = c.xyz;
  bodies[i].tag[1] = (uchar)i;
}
)cl";

TEST_F(Driver, RunsLoopsStructsLocalsOffsetsImagesAndSamplers) {
  const auto mep = mep_from_files({{"mep.toml", kEverything}, {"kernel.cl", kEverythingSource}}, "everything.mep");
  ASSERT_TRUE(mep) << mep.error().text();
  make(*mep);
  const auto fine = run({"--check", "--time", "--runs", "1"});
  EXPECT_EQ(fine.exit.code, 0) << fine.out << fine.err;
  EXPECT_NE(fine.out.find("6 launches"), std::string::npos) << fine.out;

  // Each output is looked at: a small change of any of them is seen.
  replace("kernel.cl", "* SCALE", "* 5");
  replace("kernel.cl", "p.tint)", "p.tint + 0.001f)");
  replace("kernel.cl", "+ p.shift", "- p.shift");
  replace("kernel.cl", "= c.xyz", "= c.xyw");
  replace("kernel.cl", "(uchar)i", "3");
  const auto wrong = run({"--check"});
  EXPECT_EQ(wrong.exit.code, 1) << wrong.out << wrong.err;
  for (const auto* output : {"Ping", "Pong", "Painted", "Bodies.id", "Bodies.at", "Bodies.tag"})
    EXPECT_NE(wrong.out.find(std::string(output) + ": "), std::string::npos) << output << "\n" << wrong.out;
}

TEST_F(Driver, SaysWhatItCannotDo) {
  make(read_mep(kSource + "/tests/cli/gemm.mep"));
  EXPECT_EQ(run({"--help"}).exit.code, 0);
  EXPECT_EQ(run({"--frobnicate"}).exit.code, 2);
  EXPECT_EQ(run({"--workload", "none"}).exit.code, 2);
  EXPECT_EQ(run({"--device", "77:0"}).exit.code, 2);
  replace("problem.txt", "int:67", "int:many");
  const auto broken = run({"--check"});
  EXPECT_EQ(broken.exit.code, 2);
  EXPECT_NE(broken.err.find("problem.txt:"), std::string::npos) << broken.err;
}

}  // namespace
}  // namespace hone
