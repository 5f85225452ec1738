// merge DIMENSION COUNT: so many neighbouring work-items become one that does them side by side. Loads they share are
// made once; what differs is held in copies.
//
//   float sum = 0;                            float sum_0 = 0, sum_1 = 0;
//   for (int k = 0; k < n; k++)        ->     for (int k = 0; k < n; k++) {
//     sum += a[i * n + k] * b[k];               const float b_value = b[k];
//                                               sum_0 += a[i * n + k] * b_value;
//                                               sum_1 += a[(i + 1) * n + k] * b_value;
//                                             }
//
// Legal because work-items are independent between barriers. Declined where a barrier stands under a condition that
// differs between them, and where the copies would be too many to build.

#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

/// What neighbours load in common; a coefficient beside many elements of their own is not worth the registers.
int shared(const Traffic& t) {
  constexpr int one_in_so_many = 4;
  return one_in_so_many * t.same >= t.same + t.contiguous + t.scattered ? t.same : 0;
}

Offers merge_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  Offers out;
  const auto unit = after(lifted, before);
  const auto function = ir::find_function(unit, kernel);
  const auto facts = launch_facts(lifted.mep, kernel);
  for (std::size_t d = 0; d < facts.dimensions; ++d) {
    const auto dimension = std::to_string(d);
    if (auto why = refused(lifted, before, {"merge", {dimension, "2"}}))
      out.declined.push_back(declined_line("merge " + dimension, kernel, *why));
    else
      out.made.push_back({{dimension},
                          loops_differ_along(function, static_cast<int>(d))
                              ? shares_little
                              : shared(traffic_along(unit, function, static_cast<int>(d)))});
  }
  // Behind the dimensions: a loop is for schedules that take it on vectors too, or have no second dimension.
  for (const auto& l : traffic_along_loops(unit, function, facts))
    if (l.declined.empty() && !refused(lifted, before, {"merge", {l.loop, "2"}}))
      out.made.push_back({{l.loop}, l.traffic.same > 0 && !l.adds_up ? shares_little : shares_nothing, l.adds_up});
  return out;
}

}  // namespace

extern const Rule merge_rule = {
    {"merge",
     {{ArgumentKind::Dimension, "DIMENSION"}, {ArgumentKind::Count, "COUNT"}},
     "COUNT work-items of DIMENSION, or iterations of a loop, become one, loads they share made once",
     "each work-item does the work of {COUNT} along {DIMENSION}, sharing what they load",
     true},
    [](State state, const Step& step) { return take_together(std::move(state), step, false); },
    merge_offers,
    true};

}  // namespace hone::rules
