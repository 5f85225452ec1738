#pragma once
// All kernels of a program at once: clCreateKernelsInProgram and cl::Program::createKernels. In which order they come
// is the runtime's affair; a kernel is known as soon as the host has asked for its name.

#include <vector>

#include "source/host/machine.hpp"

namespace hone::host {

/// One for each kernel that the program's text defines; none when the text is not known.
std::vector<HostValue> every_kernel(Machine& machine, const HostValue& program);
/// The host asks a kernel for its name.
HostValue name_asked(Machine& machine, const HostValue& kernel);

}  // namespace hone::host
