#pragma once
// The layer around the validation command: where it lies, what a command needs in its environment to be watched, and
// what was recorded.

#include <map>
#include <string>

#include "os/files.hpp"
#include "patch/engagement.hpp"

namespace hone::app {

/// libhone_layer.so beside this program or in the lib/hone of its installation; empty when it is in neither.
os::Path layer_library();

/// So that programs of a command load the layer, record into `folder`, and find no program another run has built.
std::map<std::string, std::string> watching(const os::Path& layer, const os::Path& folder);

/// What the layer left in `folder`. Kernel files that a program includes are read from where it ran, as they are now.
patch::Recording read_recording(const os::Path& folder);

}  // namespace hone::app
