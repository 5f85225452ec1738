#pragma once
// Another geometry for one kernel where a call launches several. In: the winner's launch shapes and the calls that may
// launch the kernel. Out: a small header beside each of these files, `hone_launch.h`, and edits that call its function
// instead. The function knows the kernel by its name and by a marker that only the new text has, and leaves every other
// kernel alone; kernels of the same name in other programs too.

#include <string>
#include <vector>

#include "core/patch_limits.hpp"
#include "core/template.hpp"
#include "patch/kernel_flow.hpp"
#include "patch/kernel_splice.hpp"

namespace hone::patch {

/// The marker's definition, with the comment that says what it is for.
std::string marker_text(const std::string& kernel);

/// Why a call cannot be led through the function; empty when it can.
std::string not_adaptable(const PassingKernels& call, const Files& files);
/// Whether the call is or may be a launch of the kernel.
bool may_launch(const PassingKernels& call, const std::string& kernel);

struct Adapted {
  FileEdits edits;
  Files added;  // hone_launch.h, once in each folder that needs it
};
Result<Adapted> adapt_launches(const std::vector<LaunchShape>& shapes, const std::vector<PassingKernels>& calls,
                               const Files& files);

}  // namespace hone::patch
