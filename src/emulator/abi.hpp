#pragma once
// The engine's view of assets/emulator/abi.h, whose text is compiled into every translated kernel too.

namespace hone::emulator {
#include "emulator/abi.h"
}
