// kernel NAME: the steps that follow are for this kernel. Not needed where a MEP has one; a kernel may be named again
// to go on with it.
//
//   merge 0 2             kernel gemm          gemm: merge 0 2
//   (of the first  ->     merge 0 2      ->    scale: as it was
//    kernel)              kernel scale

#include "rules/rule.hpp"

namespace hone::rules {

extern const Rule kernel_rule = {
    {"kernel",
     {{ArgumentKind::Kernel, "NAME"}},
     "the steps that follow are for this kernel; not needed when there is one",
     "",
     false},
    [](State state, const Step& step) { return opened(std::move(state), step.arguments[0]); },
    nullptr,
    true};

}  // namespace hone::rules
