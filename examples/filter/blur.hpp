#pragma once

#include "gpu.hpp"
#include "image.hpp"

// Filters `input` into `output` `repeat` times back to back after one warm-up; returns the median kernel time in milliseconds.
double blur(const Gpu& gpu, const Image& input, const Weights& weights, Image& output, int repeat);
