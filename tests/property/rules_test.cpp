// What a rule must never do is change an answer, touch what the original did not, or bring a race: kernels written for
// their awkward shapes and kernels nobody wrote, each under several schedules and at sizes that divide by nothing, in
// buffers without a byte to spare, give the same bytes before and after, and the interpreter finds nothing to say.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "interpreter/run.hpp"
#include "ir/rewrite.hpp"
#include "rules/all_rules.hpp"
#include "rules/schedule.hpp"
#include "source/lift.hpp"
#include "support/generator.hpp"
#include "support/rule_kernels.hpp"

namespace hone::testing {
namespace {

using Range = interpreter::Geometry;

const std::vector<std::vector<std::string>> schedules = {{"lanes 0 4"},
                                                         {"merge 0 3"},
                                                         {"lanes 0 2", "merge 0 2"},
                                                         {"merge 0 2", "lanes 0 2"},
                                                         {"registers"},
                                                         {"registers", "merge 0 2", "unroll k 3"},
                                                         {"unroll k 2", "lanes 0 4"},
                                                         {"lanes j 4"},
                                                         {"merge j 3"},
                                                         {"lanes j 2", "merge j 2"},
                                                         {"merge 0 2", "lanes j 4"},
                                                         {"registers", "lanes j 4"}};

bool can_be_asked(const std::vector<std::string>& schedule, const ir::NodePtr& kernel) {
  return join(schedule, ";").find(" j ") == std::string::npos || ir::any_of(kernel, [](const ir::NodePtr& n) {
           return n->kind == ir::Kind::For &&
                  ir::any_of(ir::for_condition(n), [](const ir::NodePtr& c) { return ir::is(c, ir::Kind::Name, "j"); });
         });
}

/// How often a rule was part of a schedule that could be done and changed something.
using Exercised = std::map<std::string, int>;

void note(Exercised& exercised, const Schedule& schedule) {
  std::set<std::string> words;
  for (const auto& step : schedule) words.insert(step.rule);
  for (const auto& word : words) ++exercised[word];
}

void expect_exercised(const Exercised& exercised, const std::map<std::string, int>& least) {
  for (const auto& [word, count] : least) {
    const auto found = exercised.find(word);
    EXPECT_GE(found == exercised.end() ? 0 : found->second, count) << word << " was hardly exercised";
  }
}

/// Sums of real numbers come in another order where iterations of a loop were taken together.
bool may_round_otherwise(const Schedule& schedule) {
  return std::any_of(schedule.begin(), schedule.end(), [](const Step& s) {
    return (s.rule == "lanes" || s.rule == "merge") && std::isalpha(static_cast<unsigned char>(s.arguments[0][0])) != 0;
  });
}

/// Word for word; real numbers but for their last bits. Whole numbers, taken for real ones, are much further apart.
::testing::AssertionResult same_but_for_rounding(const Bytes& got, const Bytes& expected) {
  if (got.size() != expected.size()) return ::testing::AssertionFailure() << "sizes differ";
  for (std::size_t i = 0; i + 4 <= got.size(); i += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, got.data() + i, 4);
    std::memcpy(&b, expected.data() + i, 4);
    if (std::memcmp(&a, &b, 4) == 0) continue;
    const bool near = std::fabs(a) > 1e-20F && std::fabs(a - b) <= 1e-5F * std::max(std::fabs(a), std::fabs(b));
    if (!near) return ::testing::AssertionFailure() << "word " << i / 4 << " is " << a << ", not " << b;
  }
  return ::testing::AssertionSuccess();
}

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

/// Inputs hold what the kernel reads and no more.
std::size_t input_size(const std::string& kernel, std::size_t n, std::size_t global) {
  if (kernel == "loop_by_item") return std::min<std::size_t>(n - 1, 8) * 3 + std::min<std::size_t>(n - 1, 4) + 1;
  if (kernel.ends_with("triangle")) return n + 2;
  return kernel == "neighbours_before_guard" ? global : n;
}

std::size_t output_size(const std::string& kernel, std::size_t n) { return kernel.ends_with("triangle") ? n * n : n; }

Result<Bytes> answer(const ir::Unit& unit, const std::string& kernel, int n, std::size_t global, const Range& range) {
  const auto count = static_cast<std::size_t>(n);
  Bytes a = reals(std::max(count, input_size(kernel, count, global))), out = reals(output_size(kernel, count));
  const auto finding = interpreter::run(unit, kernel, {&a, &out, std::int64_t{n}}, range);
  if (finding) return fail("E-INTERPRET", finding->sentence);
  return out;
}

TEST(Rules, KeepEveryAnswerOfKernelsOfManyShapes) {
  std::ifstream file(std::string(HONE_SOURCE_DIR) + "/tests/property/rules/kernels.cl");
  std::stringstream text;
  text << file.rdbuf();
  const auto unit = unit_of(text.str());
  Exercised exercised;
  for (const auto& function : ir::kernels_of(unit)) {
    const auto& kernel = function->text;
    const bool guarded = kernel != "unguarded";
    const auto lifted = lift_kernel(unit, kernel, 0);
    for (const auto& lines : schedules) {
      if (!can_be_asked(lines, function)) continue;
      const auto schedule = schedule_from_lines(lines);
      const auto variant = rules::replay(lifted, schedule, {});
      if (!variant) {
        EXPECT_EQ(variant.error().code(), "E-DECLINED") << kernel << ": " << variant.error().message();
        continue;
      }
      note(exercised, schedule);
      const auto after = unit_of(variant->source);
      for (const int n : {1, 7, 13, 24, 50}) {
        const auto global = static_cast<std::size_t>(guarded ? n + 3 : n);
        const auto expected = answer(unit, kernel, n, global, {{global, 1, 1}, {1, 1, 1}});
        ASSERT_TRUE(expected) << kernel << ": " << expected.error().text();
        const auto got = answer(after, kernel, n, global, range_of(*variant, global, 0));
        ASSERT_TRUE(got) << kernel << ": " << got.error().text() << "\n" << variant->source;
        ASSERT_EQ(*got, *expected) << kernel << " at n = " << n << ", " << join(lines, "; ") << "\n" << variant->source;
      }
    }
  }
  expect_exercised(exercised, {{"lanes", 35}, {"merge", 30}, {"registers", 1}, {"unroll", 1}});
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
  Exercised exercised;
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    const auto unit = unit_of(generate_kernel(seed));
    const auto expected = outputs(unit, {{16, 1, 1}, {8, 1, 1}});
    ASSERT_TRUE(expected) << expected.error().text();
    const auto lifted = lift_kernel(unit, "k", 8);
    for (const std::string step : {"lanes 0 4", "merge 0 2", "lanes 0 8", "unroll t0 2", "fold 1", "fold 4"}) {
      const auto variant = rules::replay(lifted, schedule_from_lines({step}), {});
      if (!variant) continue;
      note(exercised, schedule_from_lines({step}));
      const auto got = outputs(unit_of(variant->source), range_of(*variant, 16, 8));
      ASSERT_TRUE(got) << got.error().text() << "\n" << variant->source;
      ASSERT_EQ(*got, *expected) << step << "\n" << generate_kernel(seed) << variant->source;
    }
  }
  expect_exercised(exercised, {{"lanes", 20}, {"merge", 20}, {"fold", 40}});
}

std::uint32_t kernels_to_draw() {
  const char* wanted = std::getenv("HONE_GENERATED_KERNELS");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : 160;
}

TEST(Rules, KeepEveryAnswerAndBringNoRaceUnderDrawnSchedules) {
  Exercised exercised;
  for (std::uint32_t seed = 1; seed <= kernels_to_draw(); ++seed) {
    const auto kernel = rule_kernel(seed);
    const auto unit = unit_of(kernel.text);
    ASSERT_FALSE(ir::contains_verbatim(unit.root)) << kernel.text;
    const auto expected = run_rule_kernel(kernel, unit, geometry_of(kernel, nullptr));
    ASSERT_TRUE(expected) << "seed " << seed << ": " << expected.error().text() << "\n" << kernel.text;
    const auto lifted = lifted_rule_kernel(kernel, unit);
    for (std::uint32_t draw = 0; draw < 10; ++draw) {
      const auto schedule = drawn_schedule(kernel, 1000 * seed + draw);
      const auto lines = join(lines_of(schedule), "; ");
      const auto variant = rules::replay(lifted, schedule, {});
      if (!variant) {
        const std::set<std::string> known = {"E-DECLINED", "E-ORDER", "E-STEP"};
        ASSERT_TRUE(known.count(variant.error().code()) != 0) << lines << ": " << variant.error().text();
        continue;
      }
      if (variant->source == kernel.text && variant->launches.empty()) continue;
      note(exercised, schedule);
      const auto after = unit_of(variant->source);
      if (ir::contains_verbatim(after.root)) continue;  // printed with constructs the lifter keeps as they are
      const auto got = run_rule_kernel(kernel, after, geometry_of(kernel, &*variant));
      ASSERT_TRUE(got) << "seed " << seed << ", " << lines << ": " << got.error().text() << "\n"
                       << kernel.text << variant->source;
      const auto same = may_round_otherwise(schedule) ? same_but_for_rounding(*got, *expected)
                                                      : ::testing::AssertionResult(*got == *expected);
      ASSERT_TRUE(same) << same.message() << ": seed " << seed << ", " << lines << "\n"
                        << kernel.text << variant->source;
    }
  }
  expect_exercised(exercised, {{"guard", 4},
                               {"registers", 20},
                               {"lanes", 40},
                               {"merge", 60},
                               {"unroll", 30},
                               {"fold", 20},
                               {"keep", 15},
                               {"workgroup", 20}});
}

TEST(Rules, AreAllDrawn) {
  std::set<std::string> drawn;
  for (std::uint32_t seed = 0; seed < 200; ++seed)
    for (const auto& step : drawn_schedule(rule_kernel(1), seed)) drawn.insert(step.rule);
  for (const auto* rule : rules::all_rules()) {
    if (rule->form.word == "kernel") continue;
    EXPECT_EQ(drawn.count(std::string(rule->form.word)), 1U) << rule->form.word;
  }
}

}  // namespace
}  // namespace hone::testing
