#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "search/region.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

std::string arbitrary_term(int depth, const std::vector<Parameter>& parameters) {
  const int kind = depth <= 0 ? *rc::gen::inRange(0, 2) : *rc::gen::inRange(0, 9);
  const auto inner = [&] { return arbitrary_term(depth - 1, parameters); };
  switch (kind) {
    case 0: return std::to_string(*rc::gen::inRange(-3, 20));
    case 1: return (*rc::gen::elementOf(parameters)).name;
    case 2: return "(" + inner() + " + " + inner() + ")";
    case 3: return "(" + inner() + " * " + inner() + ")";
    case 4: return "(" + inner() + " - " + inner() + ")";
    case 5: return "(" + inner() + " % " + inner() + ")";
    case 6: return "(" + inner() + " // " + inner() + ")";
    case 7: return "(" + inner() + " / " + inner() + ")";
    default: return *rc::gen::elementOf(std::vector<std::string>{"min", "max"}) + "(" + inner() + ", " + inner() + ")";
  }
}

std::string arbitrary_condition(int depth, const std::vector<Parameter>& parameters) {
  const int kind = depth <= 0 ? 0 : *rc::gen::inRange(0, 6);
  const auto inner = [&] { return arbitrary_condition(depth - 1, parameters); };
  const auto term = [&] { return arbitrary_term(2, parameters); };
  const auto op = [] { return *rc::gen::elementOf(std::vector<std::string>{"<", "<=", ">", ">=", "==", "!="}); };
  switch (kind) {
    case 1: return "(" + inner() + " and " + inner() + ")";
    case 2: return "(" + inner() + " or " + inner() + ")";
    case 3: return "(not " + inner() + ")";
    case 4: return "(" + term() + " in [" + term() + ", " + term() + "])";
    case 5: return "(" + term() + " " + op() + " " + term() + " " + op() + " " + term() + ")";
    default: return "(" + term() + " " + op() + " " + term() + ")";
  }
}

Space arbitrary_space() {
  Space space;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    Parameter parameter{"p" + std::to_string(i), {}, {}};
    const auto values = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto start = *rc::gen::inRange<std::int64_t>(-2, 5);
    for (std::int64_t v = 0; v < values; ++v) parameter.values.emplace_back(start + v * v);
    space.parameters.push_back(parameter);
  }
  const auto constraints = *rc::gen::inRange(0, 4);
  for (int i = 0; i < constraints; ++i)
    space.constraints.push_back(constraint(arbitrary_condition(2, space.parameters)));
  return space;
}

RC_GTEST_PROP(Region, AgreesWithBruteForceOnAnySpace, ()) {
  const auto space = arbitrary_space();
  for (const auto& c : space.constraints) RC_LOG() << c.name << "\n";
  const auto region = Region::build(space);
  const auto valid = count_valid(space);
  RC_ASSERT(region.has_value() == (valid > 0));
  if (!region) return;
  RC_ASSERT(static_cast<std::size_t>(region->count()) == valid);
  each_valid(space, [&](const Configuration& c) { RC_ASSERT(region->contains(*region->point(c))); });
}

}  // namespace
}  // namespace hone::search
