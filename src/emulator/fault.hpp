#pragma once
// Why a kernel did not come to its end, as a device would tell it, and more: which thread, and what it touched.

#include <cstdint>
#include <string>

namespace hone::emulator {

struct Fault {
  enum class Kind { Address, Alignment, Trap, Assert, Barrier };
  Kind kind = Kind::Trap;
  std::string words;
};

}  // namespace hone::emulator
