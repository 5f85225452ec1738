#include "inputs/half.hpp"

#include <cmath>

namespace hone::inputs {

std::uint16_t half_from(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0U;
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7E00U;
  if (size >= 65520.0) return sign | 0x7C00U;
  int exponent = 0;
  std::frexp(size, &exponent);
  // Below 2^-14 the spacing stays that of the smallest normal number.
  const int spacing = size < 0x1p-14 ? -24 : exponent - 11;
  const double steps = std::nearbyint(std::ldexp(size, -spacing));
  const double rounded = std::ldexp(steps, spacing);
  if (rounded < 0x1p-14) return sign | static_cast<std::uint16_t>(std::ldexp(rounded, 24));
  std::frexp(rounded, &exponent);
  const auto mantissa = static_cast<std::uint16_t>(std::ldexp(rounded, 11 - exponent)) & 0x3FFU;
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10U) | mantissa);
}

double half_to(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10U) & 0x1F;
  const int mantissa = bits & 0x3FF;
  if (exponent == 0x1F) return mantissa != 0 ? std::nan("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

}  // namespace hone::inputs
