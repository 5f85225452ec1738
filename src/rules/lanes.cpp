// lanes DIMENSION WIDTH: so many neighbouring work-items become one that works on vectors. What is the same for all of
// them stays a scalar, what lies side by side in memory is loaded and stored at once, the rest goes lane by lane.
//
//   int i = get_global_id(0);                 int i = get_global_id(0) * 4;
//   if (i < n)                         ->     if (i + 3 < n) {
//     o[i] = a[i] * s;                          vstore4(vload4(0, a + i) * s, 0, o + i);
//                                               return;
//                                             }
//                                             for (int item_0 = 0; item_0 < 4; item_0++) ...the original for each
//
// DIMENSION may also be the counter of a loop, j: then iterations of that loop become one, and those left over follow.
//
// Legal because work-items are independent between barriers, and for a loop because its iterations touch different
// elements and carry nothing from one to the next but what they add up (partial_sums.hpp). Declined where they take
// different turns in a loop, where a value has no vector type, and outside OpenCL.

#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

/// What all lanes load alike costs them nothing. Sums that lanes have apart must be added, and need as many lanes as
/// there are.
int worth_of(const Traffic& t, bool adds_up) {
  if (adds_up) return t.contiguous - t.same - 2 * t.scattered;
  return 2 * t.contiguous + t.same - t.scattered - t.alone;
}

Offers lanes_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  Offers out;
  const auto unit = after(lifted, before);
  const auto function = ir::find_function(unit, kernel);
  const auto facts = launch_facts(lifted.mep, kernel);
  for (std::size_t d = 0; d < facts.dimensions; ++d) {
    const auto dimension = std::to_string(d);
    const Traffic t = traffic_along(unit, function, static_cast<int>(d));
    if (t.contiguous == 0)
      out.declined.push_back(declined_line(
          "lanes " + dimension, kernel, "no access moves to the next element with get_global_id(" + dimension + ")"));
    else if (auto why = refused(lifted, before, {"lanes", {dimension, "2"}}))
      out.declined.push_back(declined_line("lanes " + dimension, kernel, *why));
    else
      out.made.push_back({{dimension}, worth_of(t, false)});
  }
  for (const auto& l : traffic_along_loops(unit, function, facts)) {
    if (l.declined.empty() && l.traffic.contiguous == 0) continue;
    auto why = l.declined.empty() ? refused(lifted, before, {"lanes", {l.loop, "2"}}) : std::optional(l.declined);
    if (why)
      out.declined.push_back(declined_line("lanes " + l.loop, kernel, *why));
    else
      out.made.push_back({{l.loop}, worth_of(l.traffic, l.adds_up), l.adds_up});
  }
  return out;
}

}  // namespace

extern const Rule lanes_rule = {
    {"lanes",
     {{ArgumentKind::Dimension, "DIMENSION"}, {ArgumentKind::Count, "WIDTH"}},
     "WIDTH neighbouring work-items of DIMENSION, or iterations of a loop, become one, on vectors; WIDTH is 1, 2, 4, 8 "
     "or 16",
     "{WIDTH} neighbouring work-items of {DIMENSION} work as one, on vectors",
     true},
    [](State state, const Step& step) { return take_together(std::move(state), step, true); },
    lanes_offers,
    true};

}  // namespace hone::rules
