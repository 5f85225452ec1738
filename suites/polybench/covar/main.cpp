// The covariance matrix of m variables from n samples.

#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>

#include "device.hpp"
#include "samples.hpp"

extern const char* const covar_source;

int main(int argc, char** argv) try {
  const int m = argc > 1 ? std::atoi(argv[1]) : 480;
  const int n = argc > 2 ? std::atoi(argv[2]) : m;
  if (argc > 3 || m < 1 || n < 2 || m > 8192 || n > 8192) throw std::invalid_argument("usage: covar [variables [samples]]");

  const float unset = std::numeric_limits<float>::quiet_NaN();
  const auto samples = correlated_samples(n, m);
  Device device(covar_source);
  Kernel mean_of(device, "covar_mean"), center(device, "covar_center"), covariance_of(device, "covar_matrix");
  FloatBuffer data(device, samples);
  FloatBuffer mean(device, std::vector<float>(m, unset));
  FloatBuffer covariance(device, std::vector<float>(static_cast<std::size_t>(m) * m, unset));

  mean_of(m, data, mean, m, n);
  center(m, data, mean, m, n);
  covariance_of(m, data, covariance, m, n);

  const long wrong = count_wrong(samples, covariance.read(), n, m);
  std::cout << "kernel_ms " << device.kernel_ms() << "\n" << (wrong ? "check FAILED" : "check OK") << std::endl;
  return wrong ? 1 : 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << std::endl;
  return 2;
}
