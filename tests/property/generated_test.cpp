// A thousand generated kernels (or HONE_GENERATED_KERNELS of them): each lifts whole, prints its own bytes, survives
// being written out and read again, keeps all bytes but those of a replaced node, and means the same after a forced
// print.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"
#include "source/lift.hpp"
#include "support/generated_run.hpp"
#include "support/generator.hpp"
#include "support/lift_checks.hpp"

namespace hone::testing {
namespace {

std::uint32_t kernels_to_make() {
  const char* wanted = std::getenv("HONE_GENERATED_KERNELS");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : 1000;
}

struct Lifted {
  std::string text;
  ir::Unit unit;
};

const std::vector<Lifted>& all() {
  static const std::vector<Lifted> units = [] {
    std::vector<Lifted> out;
    for (std::uint32_t seed = 1; seed <= kernels_to_make(); ++seed) {
      const auto text = generate_kernel(seed);
      out.push_back({text, source::ClangLifter().lift(text, ir::Dialect::OpenCL).value()});
    }
    return out;
  }();
  return units;
}

TEST(Generated, KernelsLiftFaithfullyWithNothingVerbatim) {
  const source::ClangLifter lifter;
  for (const auto& [text, unit] : all()) {
    ASSERT_FALSE(ir::contains_verbatim(unit.root)) << text << ir::describe(unit);
    ASSERT_EQ(unfaithful(lifter, unit, text, {}), "") << text;
  }
}

TEST(Generated, AFreshCopyOfAnyNodeChangesOnlyItsBytes) {
  for (const auto& [text, unit] : all()) ASSERT_EQ(leaks(unit, text), "") << text;
}

TEST(Generated, ForcedPrintsMeanTheSameToTheInterpreter) {
  for (const auto& [text, unit] : all()) {
    const auto before = interpreted(unit);
    ASSERT_TRUE(before) << before.error().text() << "\n" << text;
    const auto forced = ir::force_print(unit, ir::Dialect::OpenCL).value();
    const auto after = interpreted(source::ClangLifter().lift(forced, ir::Dialect::OpenCL).value());
    ASSERT_TRUE(after) << after.error().text();
    ASSERT_TRUE(*before == *after) << text << "\n" << forced;
  }
}

}  // namespace
}  // namespace hone::testing
