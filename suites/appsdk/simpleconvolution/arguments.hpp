#pragma once

/// simpleconvolution [WIDTH HEIGHT [MASK]]: MASK is odd, the side of a square.
struct Arguments {
  int width = 1600;
  int height = 1200;
  int mask = 7;

  static Arguments parse(int argc, char** argv);
};
