#include "rules/survey.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/normal.hpp"
#include "rules/registers.hpp"
#include "rules/unroll.hpp"

namespace hone::rules {
using namespace ir;

namespace {

struct Traffic {
  int contiguous = 0, same = 0, scattered = 0;
};

/// How the accesses of a kernel move along one dimension.
Traffic traffic_along(const NodePtr& function, int dimension) {
  Traffic out;
  const auto body = structured_body(function);
  if (!body) return out;
  const Symbols symbols(function);
  const auto whole = block(*body);
  const Variance variance(whole, symbols, Axis{dimension, 2, 1, false});
  for_each(whole, [&](const NodePtr& n) {
    if (n->kind != Kind::Index || !is_memory_access(n, symbols) || n->type.is_array() || n->type.is_pointer()) return;
    const Change c = variance.of_address(n);
    if (c.uniform())
      ++out.same;
    else if ((c.kind == Change::Kind::Linear && c.step == 1) || c.kind == Change::Kind::Clamped)
      ++out.contiguous;
    else
      ++out.scattered;
  });
  return out;
}

std::string reason_of(const Error& error) { return error.message(); }

/// Whether a schedule can be replayed at all, with the reason when it cannot.
std::optional<std::string> refused(const LiftedKernel& lifted, const Survey& s, const std::vector<std::string>& steps) {
  std::vector<std::string> lines = {"kernel " + s.kernel};
  if (s.keep) lines.emplace_back("keep");
  lines.insert(lines.end(), steps.begin(), steps.end());
  const auto variant = replay(lifted, lines, {});
  return variant ? std::nullopt : std::optional(reason_of(variant.error()));
}

std::string in(const Survey& s, const std::string& rule, const std::string& why) {
  return rule + " (" + s.kernel + "): " + why;
}

void look_for_lanes(Survey& s, const LiftedKernel& lifted, const NodePtr& function) {
  int best = 0;
  for (std::size_t d = 0; d < s.dimensions; ++d) {
    const auto dimension = static_cast<int>(d);
    const Traffic t = traffic_along(function, dimension);
    const int score = 2 * t.contiguous - t.scattered;
    if (t.contiguous == 0) {
      s.declined.push_back(in(s, "lanes " + std::to_string(d),
                              "no access moves to the next element with get_global_id(" + std::to_string(d) + ")"));
    } else if (auto why = refused(lifted, s, {"lanes " + std::to_string(d) + " 2"})) {
      s.declined.push_back(in(s, "lanes " + std::to_string(d), *why));
    } else if (!s.lanes || score > best) {
      s.lanes = dimension;
      best = score;
    }
  }
}

void look_for_merges(Survey& s, const LiftedKernel& lifted, const NodePtr& function) {
  std::vector<std::pair<int, int>> found;
  for (std::size_t d = 0; d < s.dimensions; ++d) {
    const auto dimension = static_cast<int>(d);
    if (auto why = refused(lifted, s, {"merge " + std::to_string(d) + " 2"})) {
      s.declined.push_back(in(s, "merge " + std::to_string(d), *why));
      continue;
    }
    found.emplace_back(traffic_along(function, dimension).same, dimension);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [shared, dimension] : found) s.merges.push_back(dimension);
}

}  // namespace

Survey survey(const LiftedKernel& lifted, const std::string& kernel, const PatchLimits& limits) {
  Survey s;
  s.kernel = kernel;
  s.keep = !limits.may_change_launch(kernel);
  const auto function = find_function(lifted.unit, kernel);
  if (auto reason = obstacle(lifted.unit, function); !reason.empty()) {
    s.declined.push_back(in(s, "all rules", reason));
    return s;
  }
  const auto facts = launch_facts(lifted.mep, kernel);
  s.dimensions = facts.dimensions;
  auto held = keep_in_registers(lifted.unit, function, facts);
  s.registers = held.has_value();
  if (!held) s.declined.push_back(in(s, "registers", reason_of(held.error())));
  look_for_lanes(s, lifted, function);
  look_for_merges(s, lifted, function);
  const auto geometry = geometry_for(function, facts, {s.lanes.value_or(0)});
  if (!s.keep && geometry && *geometry == Geometry::Exact)
    s.grain = facts.grain[static_cast<std::size_t>(s.lanes.value_or(0))];
  if (s.keep) {
    const auto* limit = limits.find(kernel);
    s.declined.push_back(
        in(s, "workgroup",
           "the launch must stay as it is" + (limit == nullptr ? "" : ": " + limit->place + ": " + limit->reason)));
  } else if (auto why = refused(lifted, s, {"workgroup 1"}))
    s.declined.push_back(in(s, "workgroup", *why));
  else
    s.regroup = geometry && *geometry == Geometry::Guarded;
  s.loops = counted_loops(function);
  if (s.loops.empty()) s.declined.push_back(in(s, "unroll", "no loop counts upwards to a bound it leaves alone"));
  return s;
}

}  // namespace hone::rules
