#pragma once
// Contents of buffers from a generator's name and a seed. Parent, worker and the standalone driver must agree on every
// byte, so values depend only on (generator, type, seed, index): counter-based, no state, any range on its own.
//
//   zero               const(x)            ramp, ramp(first,step)      element i is first + i*step
//   uniform(a,b)       reals in [a,b); whole numbers in [a,b] for integer types
//   uniform_int(a,b)   whole numbers in [a,b], whatever the type
//   index(n)           whole numbers in [0,n): what other buffers are indexed by
//   permutation(n)     each block of n elements holds 0..n-1 once
//   spd(n)             an n by n matrix, symmetric and diagonally dominant: factorisations of it do not break down
//   dominant(n)        the same without the symmetry
//   sparse(a,b)        three of four are zero, the others as uniform(a,b)
//   offsets(n,parts)   where each of `parts` ragged rows of n elements begins; n from element `parts` on

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/language.hpp"

namespace hone::inputs {

struct Generator {
  enum class Kind { Zero, Const, Ramp, Uniform, UniformInt, Index, Permutation, Spd, Dominant, Sparse, Offsets };
  Kind kind = Kind::Zero;
  double a = 0, b = 0;
  bool operator==(const Generator&) const = default;
};

/// E-FILL names the text and what is known.
Result<Generator> parse_generator(std::string_view text);
std::string print(const Generator& generator);

/// Writes elements first, first+1, ... into `out`, whose size is a whole number of elements. Each lane of a vector is
/// drawn by itself.
void fill(const Generator& generator, const ElementType& type, std::uint64_t seed, std::uint64_t first,
          std::span<std::uint8_t> out);

/// The pattern of poisoned outputs: no kernel computes it by accident, and floats made of it are huge but finite.
inline constexpr std::uint8_t kPoison = 0x7B;

}  // namespace hone::inputs
