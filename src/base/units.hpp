#pragma once
// Units are types, so that a nanosecond is never added to a byte.

#include <chrono>
#include <compare>
#include <cstdint>

namespace hone {

using Nanoseconds = std::chrono::duration<double, std::nano>;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

struct Bytes {
  std::uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
constexpr Bytes mebibytes(std::uint64_t n) { return {n << 20U}; }

}  // namespace hone
