#pragma once
// IEEE half precision, rounded to nearest even: the language has no such type here.

#include <cstdint>

namespace hone::inputs {

std::uint16_t half_from(double value);
double half_to(std::uint16_t bits);

}  // namespace hone::inputs
