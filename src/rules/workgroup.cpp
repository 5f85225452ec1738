// workgroup X [Y] [Z]: the size of a work-group, one number for each dimension of the launch. The kernel's text does
// not change.
//
//   global = [n, m]                    ->     global = [n, m], rounded up to 16 and 4
//   local = [32, 8]                           local = [16, 4]
//
// Declined where the kernel's meaning depends on its groups, and where nothing stops the work-items that rounding up
// adds.

#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

Offers workgroup_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  Offers out;
  if (auto why = refused(lifted, before, {"workgroup", {"1"}}))
    out.declined.push_back(declined_line("workgroup", kernel, *why));
  else
    out.made.push_back({});
  return out;
}

}  // namespace

extern const Rule workgroup_rule = {
    {"workgroup",
     {{ArgumentKind::Count, "X"}, {ArgumentKind::Count, "Y", true}, {ArgumentKind::Count, "Z", true}},
     "the size of a work-group, one number for each dimension",
     "work-groups of {*}",
     false},
    [](State state, const Step& step) -> Result<State> {
      auto& k = state.current();
      if (k.workgroup)
        return fail("E-STEP", "`" + hone::print(step) + "` and `" + hone::print(*k.workgroup) +
                                  "`: a schedule has one `workgroup` for each kernel");
      k.workgroup = step;
      return state;
    },
    workgroup_offers,
    true};

}  // namespace hone::rules
