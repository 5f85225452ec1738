#include "rules/state.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {
using namespace ir;

namespace {

Expression factor_expression(const std::string& factor) {
  const bool number = factor.find_first_not_of("0123456789") == std::string::npos;
  auto parsed = number ? Expression::parse(factor) : Expression::name(factor);
  return parsed ? *parsed : Expression::name(factor);
}

std::string size_name(const char* what, std::size_t d) {
  return std::string("launch.") + what + "[" + std::to_string(d) + "]";
}

std::vector<int> dimensions_of(const std::vector<TileStep>& tile) {
  std::vector<int> out;
  for (const auto& t : tile)
    if (t.dimension >= 0 && std::find(out.begin(), out.end(), t.dimension) == out.end()) out.push_back(t.dimension);
  return out;
}

}  // namespace

State with_current(State state, const NodePtr& function) {
  state.unit = with_function(std::move(state.unit), function);
  return state;
}

Result<State> opened(State state, const std::string& kernel) {
  const auto function = find_function(state.unit, kernel);
  if (!function || !body_of(function)) return fail("E-STEP", "there is no kernel " + kernel);
  state.kernel = kernel;
  if (state.kernels.count(kernel) != 0) return state;
  KernelState fresh;
  fresh.original = function;
  fresh.facts = launch_facts(state.lifted->mep, kernel);
  state.kernels.emplace(kernel, std::move(fresh));
  state.order.push_back(kernel);
  return state;
}

Result<int> count_of(const State& state, const std::string& argument) {
  const auto found = state.values.find(argument);
  const std::string text = found == state.values.end() ? argument : hone::print(found->second);
  const auto value = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 6 ? std::stoi(text) : 0;
  if (value < 1) return fail("E-STEP", argument + " is neither a parameter nor a count");
  return value;
}

Result<int> dimension_of(const Step& step, const std::string& target, const NodePtr& function) {
  if (target.size() == 1 && target[0] >= '0' && target[0] <= '2') return target[0] - '0';
  int found = -1;
  for (const auto& v : find_all(function, Kind::Variable)) {
    auto value = v->text == target ? value_of(v) : nullptr;
    while (value && is(value, Kind::Cast)) value = operand(value);
    if (value && is_thread_index(value, Thread::GlobalId)) found = value->dimension;
  }
  const auto counter = target.substr(0, target.find('@'));
  const bool counts = any_of(function, [&](const NodePtr& n) {
    return n->kind == Kind::For &&
           any_of(for_condition(n), [&](const NodePtr& c) { return is(c, Kind::Name, counter); });
  });
  if (found < 0 && counts) return -1;
  if (found < 0)
    return fail("E-STEP",
                "`" + hone::print(step) + "`: " + target +
                    " is neither a dimension (0, 1, 2), nor a variable that holds get_global_id, nor a loop's counter");
  return found;
}

Result<Geometry> geometry_of(const KernelState& k) {
  const auto dimensions = dimensions_of(k.tile);
  if (dimensions.empty() && !k.workgroup) return Geometry::Kept;
  auto geometry = geometry_for(k.original, k.facts, dimensions);
  if (!geometry) return geometry;
  if (k.workgroup && depends_on_groups(k.original))
    return fail("E-DECLINED", "workgroup: the kernel's meaning depends on its groups");
  if (k.workgroup && (*geometry != Geometry::Guarded || (dimensions.empty() && !is_guarded(k.original, 0))))
    return fail("E-DECLINED", "workgroup: no condition stops work-items beyond the edge");
  if (k.keep && k.workgroup)
    return fail("E-DECLINED", "`" + hone::print(*k.workgroup) + "` changes the launch that `keep` leaves as it is");
  if (k.keep && depends_on_groups(k.original))
    return fail("E-DECLINED",
                "`keep` and `" + hone::print(k.tile.front().step) +
                    "`: the kernel's meaning depends on its groups, so that fewer work-items need another "
                    "launch");
  return k.keep ? Geometry::Kept : *geometry;
}

Result<std::optional<LaunchShape>> shape_of(const KernelState& k, const std::string& name) {
  const auto geometry = geometry_of(k);
  if (!geometry) return fail(geometry.error());
  if (*geometry == Geometry::Kept) return std::optional<LaunchShape>();
  LaunchShape shape;
  shape.kernel = name;
  for (std::size_t d = 0; d < k.facts.dimensions; ++d) {
    std::optional<Expression> together;
    for (const auto& t : k.tile)
      if (static_cast<std::size_t>(t.dimension) == d) {
        const auto factor = factor_expression(t.factor);
        together = together ? Expression::binary("*", *together, factor) : factor;
      }
    auto global = Expression::name(size_name("global", d)), local = Expression::name(size_name("local", d));
    shape.global.push_back(together ? Expression::call("ceil_div", {global, *together}) : global);
    if (*geometry == Geometry::Exact)
      shape.local.push_back(together ? Expression::call("ceil_div", {local, *together}) : local);
  }
  if (k.workgroup)
    for (std::size_t d = 0; d < k.facts.dimensions; ++d) {
      const bool free = d < k.workgroup->arguments.size() && is_guarded(k.original, static_cast<int>(d));
      shape.local.push_back(free ? factor_expression(k.workgroup->arguments[d]) : Expression::literal(std::int64_t{1}));
    }
  return std::optional(std::move(shape));
}

}  // namespace hone::rules
