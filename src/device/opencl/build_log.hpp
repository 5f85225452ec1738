#pragma once
// What an OpenCL compiler said, without what differs from one run to the next: the temporary file that it kept the text
// in is called kernel.cl, so that the same fault is the same text, in a log, in a prompt and for who looks it up.

#include <string>
#include <string_view>

namespace hone::device {

std::string without_temporary_names(std::string_view log);

}  // namespace hone::device
