#include "support/generated_run.hpp"

#include <cstring>

#include "interpreter/run.hpp"

namespace hone::testing {

std::vector<std::uint8_t> generated_reals() {
  std::vector<std::uint8_t> out(256);
  for (std::size_t i = 0; i < 64; ++i) {
    const float value = 0.25F * static_cast<float>((i * 37) % 64) - 4.0F;
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  return out;
}

std::vector<std::uint8_t> generated_integers() {
  std::vector<std::uint8_t> out(256);
  for (std::size_t i = 0; i < 64; ++i) {
    const int value = static_cast<int>((i * 29 + 5) % 64);
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  return out;
}

Result<GeneratedOutputs> interpreted(const ir::Unit& unit) {
  GeneratedOutputs out;
  auto a = generated_reals();
  auto b = generated_integers();
  const auto finding =
      interpreter::run(unit, "k", {&out.reals, &out.integers, &a, &b, std::int64_t{16}, 1.5}, {{16, 1, 1}, {8, 1, 1}});
  if (finding) return fail("E-INTERPRET", finding->sentence);
  return out;
}

}  // namespace hone::testing
