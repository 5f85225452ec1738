#pragma once
// printf of a kernel: a format and its arguments as a device packs them, each at a multiple of its own size.

#include <cstdint>
#include <string>

namespace hone::emulator {

std::string formatted(const char* format, const std::uint8_t* arguments);
/// To descriptor 1, where the worker listens. Returns what printf does on a device: the number of arguments.
int device_print(const char* format, const std::uint8_t* arguments);

}  // namespace hone::emulator
