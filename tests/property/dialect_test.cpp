// The same kernel in three dialects: what is printed for CUDA and HIP lifts again whole and means the same, and the
// real compilers accept it where they are installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"
#include "source/lift.hpp"
#include "support/generated_run.hpp"
#include "support/generator.hpp"

namespace hone::testing {
namespace {

using ir::Dialect;

const char* const kTiled = R"(typedef float real;
#define N 16
__constant float w[3] = {0.25f, 0.5f, 0.25f};
inline float sq(float x) { return x * x; }
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void tiled(__global const float * restrict a, __global real *c, uint n, float alpha) {
  __local float tile[N][N + 1];
  const size_t lid = get_local_id(0);
  int i = get_global_id(1), j = get_global_id(0);
  float4 v = (float4)(1.0f, 2.0f, 3.0f, alpha);
  float sum = 0;
  tile[get_local_id(1)][lid] = a[i * n + j];
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll 4
  for (uint k = get_global_id(0); k < n; k += get_global_size(0))
    sum = mad(a[k], w[1], sum) + native_sqrt(sq(v.s3)) * M_PI_F;
  if (get_global_id(0) - 1 < n) c[i * n + j] = clamp(sum, 0.0f, 1.0f) + convert_float(i) + fmax(sum, tile[0][lid]);
}
)";

ir::Unit lifted(const std::string& text, Dialect dialect) { return source::ClangLifter().lift(text, dialect).value(); }

void expect_same_meaning(Dialect dialect) {
  int printed = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const auto unit = lifted(generate_kernel(seed), Dialect::OpenCL);
    const auto text = ir::print(unit, dialect);
    if (!text) {  // arithmetic on float4 has no counterpart
      ASSERT_EQ(text.error().code(), "E-DIALECT");
      continue;
    }
    ++printed;
    const auto again = lifted(*text, dialect);
    ASSERT_FALSE(ir::contains_verbatim(again.root)) << *text << ir::describe(again);
    const auto before = interpreted(unit);
    const auto after = interpreted(again);
    ASSERT_TRUE(before && after) << *text << (after ? "" : after.error().text());
    ASSERT_TRUE(*before == *after) << *text;
  }
  EXPECT_GE(printed, 15);
}

TEST(Dialects, CudaPrintedFromOpenClMeansTheSame) { expect_same_meaning(Dialect::Cuda); }
TEST(Dialects, HipPrintedFromOpenClMeansTheSame) { expect_same_meaning(Dialect::Hip); }

TEST(Dialects, ATiledKernelGoesToCudaAndBack) {
  const auto cuda = ir::print(lifted(kTiled, Dialect::OpenCL), Dialect::Cuda);
  ASSERT_TRUE(cuda) << cuda.error().text();
  const auto unit = lifted(*cuda, Dialect::Cuda);
  EXPECT_FALSE(ir::contains_verbatim(unit.root)) << *cuda << ir::describe(unit);
  const auto opencl = ir::print(unit, Dialect::OpenCL);
  ASSERT_TRUE(opencl) << opencl.error().text() << *cuda;
  EXPECT_FALSE(ir::contains_verbatim(lifted(*opencl, Dialect::OpenCL).root)) << *opencl;
}

/// Compiles `text` with the command, "FILE" in it standing for the file's name.
bool compiles(const std::string& text, const std::string& name, std::string command) {
  const auto file = std::string(HONE_BINARY_DIR) + "/" + name;
  std::ofstream(file) << text;
  command.replace(command.find("FILE"), 4, file);
  return std::system((command + " >" + file + ".log 2>&1").c_str()) == 0;
}

TEST(Dialects, NvccCompilesWhatIsPrintedForCuda) {
  if (std::system("nvcc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "nvcc is not installed";
  const auto text = ir::print(lifted(kTiled, Dialect::OpenCL), Dialect::Cuda).value();
  EXPECT_TRUE(compiles(text, "printed_tiled.cu", "nvcc -cubin -arch=sm_80 -o /dev/null FILE")) << text;
}

TEST(Dialects, ClangCompilesWhatIsPrintedForHip) {
  if (std::system("clang++-19 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "clang++-19 is not installed";
  auto text = ir::print(lifted(kTiled, Dialect::OpenCL), Dialect::Hip).value();
  const std::string include = "#include <hip/hip_runtime.h>";
  text.replace(text.find(include), include.size(), "#include \"" HONE_SOURCE_DIR "/assets/stubs/hip.h\"");
  EXPECT_TRUE(
      compiles(text, "printed_tiled.hip",
               "clang++-19 -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib -fsyntax-only FILE"))
      << text;
}

}  // namespace
}  // namespace hone::testing
