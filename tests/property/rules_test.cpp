// What a rule must never do is change an answer: kernels written for their awkward shapes and kernels nobody wrote,
// each under several schedules and at sizes that divide by nothing, give the same bytes before and after.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "interpreter/run.hpp"
#include "rules/schedule.hpp"
#include "source/lift.hpp"
#include "support/generator.hpp"

namespace hone::testing {
namespace {

using interpreter::Bytes;
using Range = interpreter::Geometry;

const std::vector<std::vector<std::string>> schedules = {
    {"lanes 0 4"}, {"merge 0 3"}, {"lanes 0 2", "merge 0 2"}, {"registers"}, {"registers", "merge 0 2", "unroll k 3"}};

rules::LiftedKernel lift_kernel(const ir::Unit& unit, const std::string& kernel, std::size_t local) {
  rules::LiftedKernel lifted;
  lifted.unit = unit;
  lifted.kernel = kernel;
  KernelSpec spec;
  spec.name = kernel;
  Launch launch;
  launch.kernel = kernel;
  launch.global.push_back(Expression::name("size"));
  if (local > 0) launch.local.push_back(Expression::literal(static_cast<std::int64_t>(local)));
  for (const auto& p : ir::parameters_of(ir::find_function(unit, kernel))) {
    ArgumentSpec argument;
    argument.name = p->text;
    spec.arguments.push_back(argument);
    launch.arguments[p->text] = Binding{Expression::name(p->text + "_buffer"), {}};
  }
  Workload workload;
  workload.launches.emplace_back(launch);
  lifted.mep.kernels = {spec};
  lifted.mep.workloads = {workload};
  return lifted;
}

Range range_of(const Variant& variant, std::size_t global, std::size_t local) {
  Range range;
  range.global[0] = global;
  range.local[0] = local > 0 ? local : 1;
  if (variant.launches.empty()) return range;
  const std::map<std::string, Value> names = {{"launch.global[0]", static_cast<std::int64_t>(global)},
                                              {"launch.local[0]", static_cast<std::int64_t>(local)}};
  const auto& shape = variant.launches.front();
  range.global[0] = static_cast<std::size_t>(shape.global[0].evaluate_integer(environment_of(names)).value());
  range.local[0] = shape.local.empty()
                       ? 1
                       : static_cast<std::size_t>(shape.local[0].evaluate_integer(environment_of(names)).value());
  return range;
}

Bytes reals(std::size_t count) {
  Bytes bytes(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = 0.125F * static_cast<float>((i * 37) % 23) - 1.2F;
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

ir::Unit unit_of(const std::string& text) { return source::ClangLifter().lift(text, ir::Dialect::OpenCL).value(); }

Result<Bytes> answer(const ir::Unit& unit, const std::string& kernel, int n, const Range& range) {
  Bytes a = reals(64), out = reals(64);
  const auto finding = interpreter::run(unit, kernel, {&a, &out, std::int64_t{n}}, range);
  if (finding) return fail("E-INTERPRET", finding->sentence);
  return out;
}

TEST(Rules, KeepEveryAnswerOfKernelsOfManyShapes) {
  std::ifstream file(std::string(HONE_SOURCE_DIR) + "/tests/property/rules/kernels.cl");
  std::stringstream text;
  text << file.rdbuf();
  const auto unit = unit_of(text.str());
  std::size_t applied = 0;
  for (const auto& function : ir::kernels_of(unit)) {
    const auto& kernel = function->text;
    const bool guarded = kernel != "unguarded";
    const auto lifted = lift_kernel(unit, kernel, 0);
    for (const auto& schedule : schedules) {
      const auto variant = rules::replay(lifted, schedule, {});
      if (!variant) {
        EXPECT_EQ(variant.error().code(), "E-DECLINED") << kernel << ": " << variant.error().message();
        continue;
      }
      ++applied;
      const auto after = unit_of(variant->source);
      for (const int n : {1, 7, 13, 24, 50}) {
        const auto global = static_cast<std::size_t>(guarded ? n + 3 : n);
        const auto expected = answer(unit, kernel, n, {{global, 1, 1}, {1, 1, 1}});
        ASSERT_TRUE(expected) << kernel << ": " << expected.error().text();
        const auto got = answer(after, kernel, n, range_of(*variant, global, 0));
        ASSERT_TRUE(got) << kernel << ": " << got.error().text() << "\n" << variant->source;
        ASSERT_EQ(*got, *expected) << kernel << " at n = " << n << ", " << schedule[0] << "\n" << variant->source;
      }
    }
  }
  EXPECT_GT(applied, 35U);
}

struct Outputs {
  Bytes reals = Bytes(64), integers = Bytes(64);
  bool operator==(const Outputs&) const = default;
};

Result<Outputs> outputs(const ir::Unit& unit, const Range& range) {
  Outputs out;
  Bytes a(256), b(256);
  for (int i = 0; i < 64; ++i) {
    const float real = 0.25F * static_cast<float>((i * 37) % 64) - 4.0F;
    const int integer = (i * 29 + 5) % 64;
    std::memcpy(a.data() + 4 * i, &real, 4);
    std::memcpy(b.data() + 4 * i, &integer, 4);
  }
  const auto finding = interpreter::run(unit, "k", {&out.reals, &out.integers, &a, &b, std::int64_t{16}, 1.5}, range);
  if (finding) return fail("E-INTERPRET", finding->sentence);
  return out;
}

TEST(Rules, KeepEveryAnswerOfKernelsNobodyWrote) {
  std::map<std::string, int> applied;
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    const auto unit = unit_of(generate_kernel(seed));
    const auto expected = outputs(unit, {{16, 1, 1}, {8, 1, 1}});
    ASSERT_TRUE(expected) << expected.error().text();
    const auto lifted = lift_kernel(unit, "k", 8);
    for (const std::string step : {"lanes 0 4", "merge 0 2", "lanes 0 8", "registers"}) {
      const auto variant = rules::replay(lifted, {step}, {});
      if (!variant) continue;
      ++applied[step];
      const auto got = outputs(unit_of(variant->source), range_of(*variant, 16, 8));
      ASSERT_TRUE(got) << got.error().text() << "\n" << variant->source;
      ASSERT_EQ(*got, *expected) << step << "\n" << generate_kernel(seed) << variant->source;
    }
  }
  EXPECT_GT(applied["merge 0 2"], 20);
  RecordProperty("merged", applied["merge 0 2"]);
}

}  // namespace
}  // namespace hone::testing
