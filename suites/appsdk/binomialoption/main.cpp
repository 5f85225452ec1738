// Prices European calls on binomial trees: binomialoption [OPTIONS [STEPS]].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "device.hpp"
#include "pricing.hpp"

namespace {

class Pricer {
 public:
  Pricer(const Options& options, const Market& market, int steps)
      : count_(options.spot.size()),
        steps_(steps),
        device_("binomial.cl"),
        kernel_(device_.kernel("binomial_option")),
        spot_(device_.input(options.spot)),
        strike_(device_.input(options.strike)),
        years_(device_.input(options.years)),
        price_(device_.output(count_)) {
    const cl_mem buffers[] = {spot_.get(), strike_.get(), years_.get(), price_.get()};
    require(clSetKernelArg(kernel_.get(), 0, sizeof(int), &steps_), "steps");
    require(clSetKernelArg(kernel_.get(), 1, sizeof(float), &market.riskfree), "riskfree");
    require(clSetKernelArg(kernel_.get(), 2, sizeof(float), &market.volatility), "volatility");
    for (cl_uint i = 0; i < 4; i++)
      require(clSetKernelArg(kernel_.get(), 3 + i, sizeof(cl_mem), &buffers[i]), "buffer");
    const std::size_t row = (steps_ + 1) * sizeof(float);
    require(clSetKernelArg(kernel_.get(), 7, row, nullptr), "local memory");
    require(clSetKernelArg(kernel_.get(), 8, row, nullptr), "local memory");
  }

  double price(std::vector<float>& prices) {
    device_.poison(price_, count_);
    const double ms = device_.run(kernel_, count_, steps_ + 1);
    prices.resize(count_);
    device_.read(price_, prices);
    return ms;
  }

 private:
  std::size_t count_;
  int steps_;
  Device device_;
  Kernel kernel_;
  Buffer spot_, strike_, years_, price_;
};

int run(int count, int steps) {
  const Market market;
  const Options options = make_options(count);
  Pricer pricer(options, market, steps);

  std::vector<float> prices;
  pricer.price(prices);
  double best = pricer.price(prices);
  for (int i = 0; i < 2; i++) best = std::min(best, pricer.price(prices));

  int wrong = 0;
  double worst = 0.0;
  for (int i = 0; i < count; i++) {
    const double expected = reference_price(options, i, market, steps);
    const double error = std::fabs(prices[i] - expected) / options.spot[i];
    worst = std::max(worst, error);
    wrong += !(error <= 4e-5);
  }
  std::printf("kernel_ms %.3f\n", best);
  std::printf("largest error %.2e of the spot price, %d of %d prices wrong\n", worst, wrong, count);
  std::printf("check %s\n", wrong ? "FAILED" : "OK");
  return wrong != 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 255;
  if (count < 1 || steps < 1) {
    std::fprintf(stderr, "usage: %s [OPTIONS [STEPS]]\n", argv[0]);
    return 2;
  }
  try {
    return run(count, steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
