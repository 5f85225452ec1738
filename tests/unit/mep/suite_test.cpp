// Every program of suites/polybench can be taken out of its folder and completed, alone and as a sequence.

#include <gtest/gtest.h>

#include "core/launches.hpp"
#include "mep/complete.hpp"
#include "os/files.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

struct Program {
  const char* name;
  std::string folder;  // an application of its own, with what the group has in common
  std::vector<std::string> kernels;
  std::map<std::string, std::string> extents;  // by buffer
};

class Suite : public testing::TestWithParam<Program> {
 protected:
  static Result<Mep> completed(const std::vector<std::string>& kernels) {
    static const auto group = os::read_folder(std::string(HONE_SOURCE_DIR) + "/suites/polybench");
    if (!group) return fail(group.error());
    auto files = *group;
    std::erase_if(files, [](const auto& file) {
      return !file.first.starts_with(GetParam().folder + "/") && !file.first.starts_with("common/");
    });
    source::ExtractRequest request;
    request.kernels = kernels;
    const auto taken = source::extract(files, request);
    if (!taken) return fail(taken.error());
    const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::OpenCL);
    if (!unit) return fail(unit.error());
    return complete(*taken, *unit, {}, nullptr);
  }
  static void expect_runnable(const Result<Mep>& mep) {
    ASSERT_TRUE(mep.has_value()) << mep.error().text();
    EXPECT_EQ(mep->fidelity.values, 'B');
    EXPECT_TRUE(mep->contract.empty());
    for (const auto& workload : mep->workloads) {
      const auto problem = concretise(*mep, workload, {}, {}, 1);
      ASSERT_TRUE(problem.has_value()) << problem.error().text();
      EXPECT_FALSE(problem->outputs.empty());
    }
    EXPECT_NE(mep->workloads.at(0).scalars, mep->workloads.at(2).scalars);
  }
};

TEST_P(Suite, CompletesAsOneProgram) {
  const auto mep = completed(GetParam().kernels);
  expect_runnable(mep);
  if (HasFatalFailure()) return;
  for (const auto& buffer : mep->buffers) {
    const auto wanted = GetParam().extents.find(buffer.name);
    if (wanted == GetParam().extents.end()) continue;
    EXPECT_EQ(buffer.extent.print(), wanted->second) << buffer.name;
  }
}

TEST_P(Suite, CompletesKernelByKernel) {
  for (const auto& kernel : GetParam().kernels) expect_runnable(completed({kernel}));
}

INSTANTIATE_TEST_SUITE_P(
    Polybench, Suite,
    testing::Values(
        Program{"gemm", "gemm", {"gemm"}, {{"a_memory", "n * n"}, {"c_memory", "n * n"}}},
        Program{"mm2", "2mm", {"mm2_first", "mm2_second"}, {{"t_memory", "n * n"}}},
        Program{"atax", "atax", {"atax_rows", "atax_columns"}, {{"a_memory", "n * n"}}},
        Program{"bicg", "bicg", {"bicg_columns", "bicg_rows"}, {{"s_memory", "n"}}},
        Program{"mvt", "mvt", {"mvt_rows", "mvt_columns"}, {{"a_memory", "n * n"}}},
        Program{"gesummv", "gesummv", {"gesummv"}, {{"x_memory", "n"}}},
        Program{"syrk", "syrk", {"syrk"}, {{"a_memory", "m * n"}}},
        Program{"conv2d", "2dconv", {"conv2d"}, {{"in_memory", "n * n"}}},
        Program{"jacobi", "jacobi2d", {"jacobi_step", "jacobi_copy"}, {{"a_memory", "n * n"}}},
        Program{"gram", "gramschm", {"gram_norm", "gram_unit", "gram_subtract"}, {{"q_memory", "ni * (ni // 2)"}}}),
    [](const auto& program) { return program.param.name; });

}  // namespace
}  // namespace hone::mep
