#pragma once
// How a generated kernel is run: the inputs its generator promises, and the outputs it gives.

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::testing {

struct GeneratedOutputs {
  std::vector<std::uint8_t> reals = std::vector<std::uint8_t>(64), integers = std::vector<std::uint8_t>(64);
  bool operator==(const GeneratedOutputs&) const = default;
};

std::vector<std::uint8_t> generated_reals();     ///< the 64 floats of `a`
std::vector<std::uint8_t> generated_integers();  ///< the 64 ints of `b`

/// Of the kernel `k` of a unit in any dialect, by the interpreter.
Result<GeneratedOutputs> interpreted(const ir::Unit& unit);

}  // namespace hone::testing
