// The options to price, and what they are worth according to the host.
#pragma once

#include <cstddef>
#include <vector>

struct Market {
  float riskfree = 0.02f;
  float volatility = 0.30f;
};

struct Options {
  std::vector<float> spot, strike, years;
};

/// Calls around the money, some deep in or out of it, with a quarter of a year to ten years to run.
Options make_options(std::size_t count);

/// The price of one option on the same tree, in double precision.
double reference_price(const Options& options, std::size_t which, const Market& market, int steps);
