// fold WIDTH: one work-item of each group does the work of all of them, WIDTH neighbours at once as vectors; the others
// return at once. Barriers become the ends of loops. For processors, where a group runs on one core anyway; the launch
// stays as it is, and any size of group is right.
//
//   x[lid] = a[gid];                          if (get_local_id(0) != 0) return;
//   barrier(CLK_LOCAL_MEM_FENCE);      ->     for (item = 0; item < get_local_size(0); item++)
//   o[gid] = x[size - 1 - lid];                 x[item] = a[first_item + item];
//                                             for (item = 0; item < get_local_size(0); item++)
//                                               o[first_item + item] = x[size - 1 - item];
//
// Legal because work-items are independent between barriers. What a work-item keeps across a barrier is computed again
// from its ids, held once where all have the same, or held in an array as large as the groups that were seen; a larger
// group runs the original, which stays in the text for it. Declined where the work-items of a group may part ways
// around a barrier.

#include <algorithm>
#include <cctype>
#include <set>

#include "core/launch_walk.hpp"
#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/group_fold.hpp"
#include "rules/normal.hpp"
#include "rules/tile_steps.hpp"
#include "rules/variance.hpp"

namespace hone::rules {
namespace {

constexpr long long least_room = 256, most_room = 4096;

/// What the kernel itself says its groups are.
std::optional<long long> required_size(const ir::NodePtr& function) {
  for (const auto& qualifier : function->qualifiers) {
    const auto at = qualifier.find("reqd_work_group_size");
    if (at == std::string::npos) continue;
    long long product = 1, number = 0;
    bool digits = false;
    for (const char c : qualifier.substr(at) + ")") {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        number = digits ? number * 10 + (c - '0') : c - '0';
        digits = true;
      } else if (digits) {
        product *= number;
        digits = false;
      } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 && product > 1) {
        return std::nullopt;
      }
    }
    if (product > 0 && product <= most_room) return product;
  }
  return std::nullopt;
}

/// Room for the largest group of any launch that was seen.
long long room_for(const Mep& mep, const std::string& kernel) {
  long long most = least_room;
  for (const auto& workload : mep.workloads)
    each_launch(workload.launches, [&](const Launch& launch) {
      long long product = 1;
      for (const auto& local : launch.kernel == kernel ? launch.local : std::vector<Expression>{})
        product *=
            std::clamp<long long>(local.evaluate_integer(environment_of(workload.scalars)).value_or(1), 1, most_room);
      most = std::clamp(product, most, most_room);
    });
  return most;
}

Result<State> fold(State state, const Step& step) {
  auto width = count_of(state, step.arguments[0]);
  if (!width) return fail(std::move(width).error());
  if (*width != 1 && *width != 2 && *width != 4 && *width != 8 && *width != 16)
    return fail("E-DECLINED", "there is no vector of " + std::to_string(*width) + " lanes");
  if (state.unit.dialect != ir::Dialect::OpenCL)
    return fail("E-DECLINED", std::string("fold: ") + ir::dialect_name(state.unit.dialect) + " runs on no processor");
  auto ready = tiled(std::move(state), step);
  if (!ready) return ready;
  auto& k = ready->current();
  k.closed_by = step;
  const auto function = ready->function();
  Group group;
  group.dimensions = k.facts.dimensions;
  group.width = *width;
  const auto required = required_size(function);
  group.certain = required.has_value();
  group.most = required ? *required : room_for(ready->lifted->mep, ready->kernel);
  auto folded = fold_group(ready->unit, function, group);
  if (!folded) return fail(std::move(folded).error().context("fold"));
  return with_current(*std::move(ready), *folded);
}

/// Roots, logarithms, divisions and the like that neighbours along the first dimension all make of the same numbers: a
/// group that is folded makes them once.
bool repeats_costly_work(const ir::NodePtr& function) {
  static const std::set<std::string> cheap = {"min",  "max",  "fmin",  "fmax",   "clamp", "fabs",
                                              "abs",  "mad",  "fma",   "mad24",  "mul24", "floor",
                                              "ceil", "rint", "trunc", "select", "step"};
  const auto body = structured_body(function);
  if (!body) return false;
  const auto whole = ir::block(*body);
  const Symbols symbols(function);
  const Variance variance(whole, symbols, Axis{0, 2, 1, false});
  return ir::any_of(whole, [&](const ir::NodePtr& n) {
    const bool divides = ir::is(n, ir::Kind::Binary, "/") && n->type.is_floating();
    const bool calls = n->kind == ir::Kind::Call && is_elementwise(n->text) && cheap.count(n->text) == 0;
    const bool known = !ir::any_of(n, [](const ir::NodePtr& part) { return ir::is(part, ir::Kind::Name); });
    return (divides || calls) && !known && n->type.is_number() && variance.of(n).uniform();
  });
}

/// Fewer work-items would need a launch that cannot be had.
bool launch_stays(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  const auto has = [&](const char* rule) {
    return std::any_of(before.begin(), before.end(), [&](const Step& s) { return s.rule == rule; });
  };
  if (has("keep")) return true;
  const auto geometry = geometry_for(ir::find_function(lifted.unit, kernel), launch_facts(lifted.mep, kernel), {0});
  return !has("guard") && geometry && *geometry == Geometry::Kept;
}

/// For kernels that work in groups, where the launch must stay, since work-items that `keep` has nothing for cost time,
/// and where a group repeats what takes long: others are better taken together by `lanes` and `merge`. It is worth
/// nothing where these could do the same but for the work-items that are left without work.
Offers fold_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  Offers out;
  const auto function = ir::find_function(lifted.unit, kernel);
  if (!launch_stays(lifted, kernel, before) && !depends_on_groups(function) && !repeats_costly_work(function))
    return out;
  if (auto why = refused(lifted, before, {"fold", {"1"}}))
    out.declined.push_back(declined_line("fold", kernel, *why));
  else
    out.made.push_back({{}, depends_on_groups(function) || repeats_costly_work(function) ? 1 : 0});
  return out;
}

}  // namespace

extern const Rule fold_rule = {
    {"fold",
     {{ArgumentKind::Count, "WIDTH"}},
     "one work-item of each group does the work of all, WIDTH neighbours at once as vectors; for processors",
     "one work-item does the work of its whole group, {WIDTH} at once",
     false},
    fold,
    fold_offers,
    false,
    true};

}  // namespace hone::rules
