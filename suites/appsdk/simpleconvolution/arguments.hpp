#pragma once

/// simpleconvolution [WIDTH HEIGHT [MASK]]: MASK is odd, the side of a square.
struct Arguments {
  unsigned width = 1600;
  unsigned height = 1200;
  unsigned mask = 7;

  static Arguments parse(int argc, char** argv);
};
