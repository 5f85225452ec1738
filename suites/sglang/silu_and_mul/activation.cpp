#include "activation.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

Shape parse_shape(int argc, char** argv) {
  Shape shape;
  if (argc > 1) shape.tokens = std::atoi(argv[1]);
  if (argc > 2) shape.d = std::atoi(argv[2]);
  if (shape.tokens < 1 || shape.d < 1) {
    std::fprintf(stderr, "usage: %s [TOKENS [D]]\n", argv[0]);
    std::exit(2);
  }
  return shape;
}

std::vector<float> make_gate_and_value(const Shape& shape) {
  std::mt19937 random(17);
  std::uniform_real_distribution<float> gate(-8.0f, 8.0f), value(-3.0f, 3.0f);
  std::vector<float> input(2 * static_cast<std::size_t>(shape.tokens) * shape.d);
  float* next = input.data();
  for (int token = 0; token < shape.tokens; token++) {
    for (int i = 0; i < shape.d; i++) *next++ = gate(random);
    for (int i = 0; i < shape.d; i++) *next++ = value(random);
  }
  return input;
}

long wrong_outputs(const Shape& shape, const std::vector<float>& input, const std::vector<float>& output) {
  long wrong = 0;
  for (std::size_t token = 0; token < static_cast<std::size_t>(shape.tokens); token++) {
    const float* gate = &input[token * 2 * shape.d];
    const float* value = gate + shape.d;
    for (int i = 0; i < shape.d; i++) {
      const double x = gate[i];
      const double expected = x / (1.0 + std::exp(-x)) * value[i];
      wrong += !(std::fabs(output[token * shape.d + i] - expected) <= 1e-6 + 2e-6 * std::fabs(expected));
    }
  }
  return wrong;
}
