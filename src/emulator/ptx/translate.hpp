#pragma once
// One kernel of a module as C++ text: registers as locals that hold raw bits, labels and gotos, functions it calls in
// front of it. What is not translated (textures, matrix units, clusters) is refused by name: E-PTX.

#include <string>
#include <vector>

#include "emulator/ptx/module.hpp"

namespace hone::emulator::ptx {

struct Translated {
  std::string text;  // behind abi.h and prelude.h; defines `hone_kernel`
  std::size_t static_shared = 0, local_bytes = 0;
  std::size_t ranges = 0;            // memory instructions
  std::vector<std::string> symbols;  // variables whose addresses it asks for, in the order of HoneThread::symbols
};

Result<Translated> translate(const Module& module, const std::string& entry);

}  // namespace hone::emulator::ptx
