// A thousand generated kernels: each lifts whole, prints its own bytes, survives being written out and read again,
// keeps all bytes but those of a replaced node, and means the same after a forced print.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"
#include "source/lift.hpp"
#include "support/generator.hpp"
#include "support/interpreter.hpp"
#include "support/lift_checks.hpp"

namespace hone::testing {
namespace {

std::uint32_t kernels() {
  const char* wanted = std::getenv("HONE_GENERATED_KERNELS");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : 300;
}

struct Lifted {
  std::string text;
  ir::Unit unit;
};

const std::vector<Lifted>& all() {
  static const std::vector<Lifted> units = [] {
    std::vector<Lifted> out;
    for (std::uint32_t seed = 1; seed <= kernels(); ++seed) {
      const auto text = generate_kernel(seed);
      out.push_back({text, source::ClangLifter().lift(text, ir::Dialect::OpenCL).value()});
    }
    return out;
  }();
  return units;
}

struct Outputs {
  Bytes reals = Bytes(64), integers = Bytes(64);
  bool operator==(const Outputs&) const = default;
};

Result<Outputs> outputs(const ir::Unit& unit) {
  Outputs out;
  Bytes a(256), b(256);
  for (int i = 0; i < 64; ++i) {
    const float real = 0.25F * static_cast<float>((i * 37) % 64) - 4.0F;
    const int integer = (i * 29 + 5) % 64;
    std::memcpy(a.data() + 4 * i, &real, 4);
    std::memcpy(b.data() + 4 * i, &integer, 4);
  }
  const Range range = {{16, 1, 1}, {8, 1, 1}};
  const auto ran = interpret(unit, "k", {&out.reals, &out.integers, &a, &b, std::int64_t{16}, 1.5}, range);
  if (!ran) return fail(ran.error());
  return out;
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
    const auto before = outputs(unit);
    ASSERT_TRUE(before) << before.error().text() << "\n" << text;
    const auto forced = ir::force_print(unit, ir::Dialect::OpenCL).value();
    const auto after = outputs(source::ClangLifter().lift(forced, ir::Dialect::OpenCL).value());
    ASSERT_TRUE(after) << after.error().text();
    ASSERT_TRUE(*before == *after) << text << "\n" << forced;
  }
}

}  // namespace
}  // namespace hone::testing
