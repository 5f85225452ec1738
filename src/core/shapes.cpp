#include "core/shapes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "core/workload_sizes.hpp"

namespace hone {
namespace {

constexpr auto example_of_a_shape = "--shape tokens=64,d=11008";

std::string known_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const auto& [name, value] : workload.scalars) names.push_back(name);
  return names.empty() ? "its sizes are fixed in the code" : "it has " + join(names, ", ");
}

Result<Workload> workload_of_shape(const Mep& mep, const Workload& base, const Shape& shape) {
  Workload out = base;
  out.name = name_of(shape);
  out.role = shape.role;
  for (const auto& [name, value] : shape.scalars) {
    if (!base.scalars.contains(name))
      return fail("E-SHAPE", name + " is no size of " + mep.name + ": " + known_names(base), "hone show X.mep");
    out.scalars[name] = value;
    out.from[name] = {Provenance::Kind::Set, {}};
  }
  if (!is_allowed(mep, out))
    return fail("E-SHAPE", out.name + ": the contract, an extent or the work-groups do not allow these sizes",
                "hone show X.mep");
  return out;
}

}  // namespace

Result<Shape> parse_shape(std::string_view text, Role role) {
  Shape out;
  out.role = role;
  for (const auto& word : split(std::string(text), ',')) {
    const auto equals = word.find('=');
    const auto name = std::string(trim(word.substr(0, equals)));
    const auto parsed = equals == std::string::npos ? Result<Expression>(fail("E-SHAPE", ""))
                                                    : Expression::parse(trim(word.substr(equals + 1)));
    const auto value =
        parsed ? parsed->evaluate_integer([](std::string_view) { return std::nullopt; }) : Result<std::int64_t>(0);
    if (!is_identifier(name) || !parsed || !value)
      return fail("E-SHAPE", "'" + word + "' is not NAME=NUMBER", example_of_a_shape);
    out.scalars[name] = *value;
  }
  return out;
}

std::string name_of(const Shape& shape) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : shape.scalars) parts.push_back(name + print(value));
  return join(parts, "-");
}

Result<Mep> with_shapes(Mep mep, const std::vector<Shape>& shapes) {
  const auto* tune = find_workload(mep, Role::Tune);
  if (shapes.empty() || tune == nullptr) return mep;
  const Workload base = *tune;
  std::vector<Workload> made;
  for (const auto& shape : shapes) {
    auto workload = workload_of_shape(mep, base, shape);
    if (!workload) return fail(std::move(workload).error());
    if (std::ranges::find(made, workload->name, &Workload::name) != made.end())
      return fail("E-SHAPE", workload->name + " is given twice", example_of_a_shape);
    made.push_back(std::move(*workload));
  }
  std::erase_if(mep.workloads,
                [&](const Workload& old) { return std::ranges::find(shapes, old.role, &Shape::role) != shapes.end(); });
  mep.workloads.insert(mep.workloads.begin(), made.begin(), made.end());
  std::ranges::stable_sort(mep.workloads, {}, &Workload::role);
  return mep;
}

}  // namespace hone
