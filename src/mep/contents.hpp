#pragma once
// Whether contents suit a kernel: by what K(0) made of them. Outputs that blow up, are not numbers or are one and the
// same number everywhere test little, and make sums of another order look wrong.

#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "mep/driver_expected.hpp"

namespace hone::mep {

/// Beyond this a real output has blown up: inputs are around 1.
inline constexpr double kBlownUp = 1e8;

/// What is wrong with the outputs, in words; nothing when nothing is.
std::optional<std::string> doubtful(const Mep& mep, const OutputBytes& outputs);

/// The elements sorted by their bytes: what an output is as a set. The standalone driver sorts the same way.
std::vector<std::uint8_t> elements_in_order(const std::vector<std::uint8_t>& bytes, std::size_t element);

/// Fills to try instead, in this order.
std::vector<std::string> calmer_fills();
/// Of every real buffer that is filled with numbers at all.
void set_float_fills(Mep& mep, const std::string& fill);
/// The fill of the first such buffer.
std::string first_fill(const std::vector<BufferSpec>& buffers);

}  // namespace hone::mep
