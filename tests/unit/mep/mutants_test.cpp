#include "mep/mutants.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/launches.hpp"
#include "mep/complete.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

constexpr auto kBlur = R"(float weigh(float a, int by) { return a * by + 1.0f; }
__kernel void blur(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0.5f;
  for (int k = 0; k < 3; k++) sum += weigh(in[i + k], k);
  out[i] = sum - in[i];
})";

Result<Mutated> mutants_of(const std::string& source, std::size_t most) {
  source::ExtractRequest request;
  request.kernels = {"blur"};
  const auto taken = source::extract({{"a.cl", source}}, request);
  if (!taken) return fail(taken.error());
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::OpenCL, {});
  if (!unit) return fail(unit.error());
  const auto mep = complete(*taken, *unit, {}, nullptr);
  if (!mep) return fail(mep.error());
  return mutated(*mep, *unit, most);
}

TEST(Mutants, AllAreInOneProgramThatStillReads) {
  const auto made = mutants_of(kBlur, 40);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_GE(made->mutants.size(), 10U);
  for (const auto& mutant : made->mutants) {
    EXPECT_GE(mutant.line, 1U);
    EXPECT_NE(made->mep.source.find("hone_mutant == " + std::to_string(mutant.number)) == std::string::npos &&
                  made->mep.source.find("hone_mutant != " + std::to_string(mutant.number)) == std::string::npos,
              true)
        << mutant.what;
  }
  const auto again = source::ClangLifter().lift(made->mep.source, ir::Dialect::OpenCL, {});
  ASSERT_TRUE(again) << again.error().text() << made->mep.source;
  EXPECT_TRUE(again->notes.empty()) << made->mep.source;
}

TEST(Mutants, HelpersAreSwitchedTooAndEveryKindOfFaultIsThere) {
  const auto made = mutants_of(kBlur, 100);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NE(made->mep.source.find("weigh(in["), std::string::npos);
  for (const auto* kind :
       {"a constant one larger", "minus for plus", "plus for minus", "operands swapped", "index off by one",
        "the edge of a comparison", "the last turn of a loop left out", "a statement dropped"})
    EXPECT_TRUE(std::ranges::any_of(made->mutants, [&](const Mutant& m) { return m.what.starts_with(kind); })) << kind;
  EXPECT_TRUE(std::ranges::any_of(made->mutants, [](const Mutant& m) { return m.line == 1; })) << "in the helper";
}

TEST(Mutants, TheScalarIsAnArgumentOfEveryLaunchAndZeroIsTheOriginal) {
  const auto made = mutants_of(kBlur, 8);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->mutants.size(), 8U);
  for (const auto& workload : made->mep.workloads) {
    EXPECT_EQ(workload.scalars.at(kMutantScalar), Value(std::int64_t{0}));
    const auto problem = concretise(made->mep, workload, {}, {}, 1);
    ASSERT_TRUE(problem) << problem.error().text();
    EXPECT_EQ(problem->launches.front().arguments.back().bytes, std::vector<std::uint8_t>(4, 0));
  }
}

}  // namespace
}  // namespace hone::mep
