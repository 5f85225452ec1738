#pragma once

struct Options {
  int width = 512;
  int height = 256;
  int steps = 12;
};

/// lbm [WIDTH HEIGHT [STEPS]]; ends the program when they make no sense.
Options read_options(int argc, char** argv);
