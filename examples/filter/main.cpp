// Blurs an image on the first OpenCL device, and tells how long the kernel took.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "blur.hpp"

struct Options {
  int width = 1920, height = 1080, repeat = 30;
  bool check = false;
  std::string output;
};

static bool read_options(Options& options, int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    if (name == "--check") {
      options.check = true;
      continue;
    }
    if (++i == argc) return false;
    const int number = std::atoi(argv[i]);
    if (name == "--output")
      options.output = argv[i];
    else if (number <= 0)
      return false;
    else if (name == "--width")
      options.width = number;
    else if (name == "--height")
      options.height = number;
    else if (name == "--repeat")
      options.repeat = number;
    else
      return false;
  }
  return true;
}

static int run(const Options& options) {
  const Image input = test_image(options.width, options.height);
  const Weights weights = gaussian_weights();
  Image output(options.width, options.height);

  const Gpu gpu;
  std::printf("kernel: %.3f ms\n", blur(gpu, input, weights, output, options.repeat));

  if (!options.output.empty() && !save_pgm(output, options.output)) {
    std::fprintf(stderr, "filter: cannot write %s\n", options.output.c_str());
    return 1;
  }
  if (!options.check) return 0;
  const int wrong = count_differences(input, weights, output);
  if (wrong)
    std::printf("check: %d pixels differ\n", wrong);
  else
    std::printf("check: ok\n");
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  Options options;
  if (!read_options(options, argc, argv)) {
    std::fprintf(stderr, "usage: %s [--width N] [--height N] [--repeat N] [--output FILE.pgm] [--check]\n", argv[0]);
    return 2;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "filter: %s\n", error.what());
    return 1;
  }
}
