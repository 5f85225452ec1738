#include "loop/feasible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace hone::loop {
namespace {

struct Limit {
  std::string_view resource, fact;
};
constexpr std::array<Limit, 4> limits = {{{"local_bytes", "local_bytes"},
                                          {"threads", "max_work_group_size"},
                                          {"private_bytes", "private_bytes"},
                                          {"registers", "registers"}}};

std::vector<Constraint> wanted(const Template& proposed, const DeviceInfo& device) {
  auto all = proposed.space.constraints;
  for (const auto& [resource, fact] : limits) {
    const auto used = proposed.resources.find(std::string(resource));
    const auto limit = device.facts.find(std::string(fact));
    if (used == proposed.resources.end() || limit == device.facts.end()) continue;
    Expression::Node compare;
    compare.kind = Expression::Kind::Compare;
    compare.operators = {"<="};
    compare.operands = {std::make_shared<Expression::Node>(used->second.root()),
                        std::make_shared<Expression::Node>(Expression::literal(limit->second).root())};
    all.push_back({"device " + std::string(fact), Expression(std::make_shared<Expression::Node>(std::move(compare)))});
  }
  return all;
}

bool is_parameter(const Space& space, std::string_view name) {
  return std::ranges::find(space.parameters, name, &Parameter::name) != space.parameters.end();
}

}  // namespace

Result<Space> feasible_space(const Template& proposed, const Mep& mep, const DeviceInfo& device) {
  Space out{proposed.space.parameters, {}};
  const auto facts = device_environment(device);
  std::vector<std::string> known;
  for (const auto& p : out.parameters) known.push_back(p.name);
  for (const auto& constraint : wanted(proposed, device)) {
    bool by_workload = false;
    for (const auto& name : constraint.condition.names()) {
      if (is_parameter(out, name) || facts(name)) continue;
      by_workload = std::ranges::any_of(mep.workloads, [&](const Workload& w) { return w.scalars.contains(name); });
      if (by_workload) continue;
      const auto close = nearest(name, known);
      return fail("E-TEMPLATE", fmt::format("constraint {}: '{}' is neither a parameter, a scalar of the workloads nor "
                                            "known of the device{}",
                                            constraint.name, name, close ? "; nearest: " + *close : ""));
    }
    for (const auto& workload : mep.workloads) {
      if (workload.role != Role::Tune) continue;
      const auto condition = constraint.condition.substitute([&](std::string_view name) -> std::optional<Expression> {
        if (is_parameter(out, name)) return std::nullopt;
        if (const auto fact = facts(name)) return Expression::literal(*fact);
        const auto scalar = workload.scalars.find(std::string(name));
        return scalar == workload.scalars.end() ? std::nullopt : std::optional(Expression::literal(scalar->second));
      });
      out.constraints.push_back({constraint.name, condition});
      if (!by_workload) break;
    }
  }
  return out;
}

}  // namespace hone::loop
