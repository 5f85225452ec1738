#pragma once
// PTX as a code object of AMD GPUs would be: an ELF file whose note tells what its kernels take and whose symbols are
// its variables. Only stand-ins can run it.

#include <string>

namespace standin {

std::string code_object_of(const std::string& ptx);
/// Empty when there is none in it.
std::string ptx_in(const void* object);

}  // namespace standin
