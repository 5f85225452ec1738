#pragma once
// The one source of randomness in search: seeded by the caller, the same on every machine and compiler (the standard
// library's distributions are not).

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hone::search {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// splitmix64: one multiplication chain a number, good enough for sampling, and it has no bad seeds.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  /// Uniform in [0, 1).
  double real() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

  /// Uniform in [0, bound), without the bias of a remainder.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t x = next();
      if (x >= unfair) return x % bound;
    }
  }

  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - real()));
    return radius * std::cos(6.283185307179586 * real());
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace hone::search
