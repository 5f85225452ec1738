// keep: the launch stays as it is although work-items are taken together; those that are no longer needed do nothing.
// For launches that may not change, because other kernels pass the same call.
//
//   o[get_global_id(0)] = 1;           ->     if (get_global_id(0) * 2 + 1 < get_global_size(0)) {
//                                               o[get_global_id(0) * 2] = 1;
//                                               o[get_global_id(0) * 2 + 1] = 1;
//                                             } else ...one by one

#include "rules/rule.hpp"

namespace hone::rules {

extern const Rule keep_rule = {
    {"keep", {}, "the launch is left as it is; work-items that are no longer needed do nothing", "", false},
    [](State state, const Step& step) -> Result<State> {
      auto& k = state.current();
      if (k.closed_by && !k.tile.empty())
        return fail("E-ORDER", "`keep` stands after `" + hone::print(*k.closed_by) + "`, when `" +
                                   hone::print(k.tile.front().step) + "` has already been done: write it first");
      k.keep = step;
      return state;
    },
    nullptr,
    true};

}  // namespace hone::rules
