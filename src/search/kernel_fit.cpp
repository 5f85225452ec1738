#include "search/kernel_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace hone::search {

namespace {

using Array = Eigen::ArrayXd;
using Index = Eigen::Index;

constexpr double noise_center = -4.605170185988091;  // log 0.01
constexpr double noise_spread = 1.5;
/// How differently, in logarithms, noise may be elsewhere than where values were repeated.
constexpr double noise_elsewhere = 0.5;
/// Less noise than this would ask for more digits than single precision has.
constexpr double least_noise = 1e-5;

}  // namespace

/// The evidence of a kernel on fixed data as a function of its logarithms, with all pair differences made once.
class Evidence {
 public:
  Evidence(const Observations& observations, const Kernel& kernel)
      : kernel_(kernel),
        targets_(observations.targets),
        repeats_(observations.repeats),
        repeat_variance_(observations.repeat_variance),
        repeat_spread_(std::sqrt(2.0 / static_cast<double>(std::max<std::size_t>(1, observations.repeats_seen)) +
                                 noise_elsewhere * noise_elsewhere)) {
    for (const auto& dimension : *kernel.dimensions) {
      const auto column = static_cast<Index>(dimension.column);
      const auto coordinate = [&](Index i) { return dimension.coordinates[observations.points(i, column)]; };
      Array difference(n_ * (n_ - 1) / 2);
      for (Index i = 1, at = 0; i < n_; ++i) {
        for (Index j = 0; j < i; ++j) difference[at++] = coordinate(i) - coordinate(j);
      }
      factors_.push_back(kernel.factor(static_cast<Index>(differences_.size()), difference));
      differences_.push_back(std::move(difference));
    }
    kernel_.evidence = evidence(kernel_);
  }

  /// Moves one logarithm by `step` when that is better.
  bool try_step(Index coordinate, double step) {
    Kernel moved = kernel_;
    Array* factor = nullptr;
    Array before;
    if (coordinate < moved.inverse_length.size()) {
      moved.inverse_length[coordinate] *= std::exp(step);
      factor = &factors_[static_cast<std::size_t>(coordinate)];
      before = moved.factor(coordinate, differences_[static_cast<std::size_t>(coordinate)]);
      factor->swap(before);
    } else {
      moved.noise *= std::exp(step);
      if (moved.noise < least_noise || moved.noise > 10) return false;
    }
    moved.evidence = evidence(moved);
    if (moved.evidence > kernel_.evidence + 1e-3) {
      kernel_ = std::move(moved);
      return true;
    }
    if (factor != nullptr) factor->swap(before);
    return false;
  }

  const Kernel& kernel() const { return kernel_; }

 private:
  /// With the factors as they are.
  double evidence(const Kernel& kernel) const {
    Array correlation = Array::Ones(n_ * (n_ - 1) / 2);
    for (const auto& factor : factors_) correlation *= factor;
    Matrix covariance(n_, n_);
    for (Index i = 0, at = 0; i < n_; ++i) {
      for (Index j = 0; j < i; ++j) covariance(i, j) = correlation[at++];
      covariance(i, i) = 1 + kernel.noise / repeats_[i] + 1e-8;
    }
    const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> factor(covariance);
    if (factor.info() != Eigen::Success) return -1e300;
    const Vector ones = factor.matrixL().solve(Vector::Ones(n_));
    const Vector solved = factor.matrixL().solve(targets_);
    const double mean = ones.dot(solved) / ones.squaredNorm();
    const double variance = (solved - mean * ones).squaredNorm() / static_cast<double>(n_) + 1e-12;
    double out = -0.5 * static_cast<double>(n_) * std::log(variance);
    for (Index i = 0; i < n_; ++i) out -= std::log(covariance(i, i));
    for (Index d = 0; d < kernel.inverse_length.size(); ++d) {
      const double log = std::log(kernel.inverse_length[d] / kernel.expected[d]);
      out -= 0.5 * log * log;
    }
    const double off = repeat_variance_ > 0 ? std::log(kernel.noise * variance / repeat_variance_) / repeat_spread_
                                            : (std::log(kernel.noise) - noise_center) / noise_spread;
    return out - 0.5 * off * off;
  }

  Kernel kernel_;
  Vector targets_, repeats_;
  double repeat_variance_, repeat_spread_;
  Index n_ = targets_.size();
  std::vector<Array> differences_, factors_;  // of each dimension, for all pairs
};

KernelFit::KernelFit(Observations observations, std::vector<Kernel> starts, int sweeps)
    : observations_(std::move(observations)), kernels_(std::move(starts)), sweeps_(sweeps) {}
KernelFit::KernelFit(KernelFit&&) noexcept = default;
KernelFit& KernelFit::operator=(KernelFit&&) noexcept = default;
KernelFit::~KernelFit() = default;

bool KernelFit::advance(double work) {
  const auto n = static_cast<double>(observations_.targets.size());
  const double cost_of_step = 2 * n * n * (n / 3 + 30);  // one factorisation and the exponentials, twice when refused
  do {
    if (family_ == kernels_.size()) return true;
    step();
    work -= cost_of_step;
  } while (work > 0);
  return family_ == kernels_.size();
}

void KernelFit::step() {
  if (!evidence_) evidence_ = std::make_unique<Evidence>(observations_, kernels_[family_]);
  const double size = std::exp2(-sweep_);
  if (!evidence_->try_step(coordinate_, size)) evidence_->try_step(coordinate_, -size);
  if (++coordinate_ <= kernels_[family_].inverse_length.size()) return;
  coordinate_ = 0;
  if (++sweep_ < sweeps_) return;
  sweep_ = 0;
  kernels_[family_++] = evidence_->kernel();
  evidence_.reset();
}

const Kernel& KernelFit::best() const {
  return *std::max_element(kernels_.begin(), kernels_.end(),
                           [](const Kernel& a, const Kernel& b) { return a.evidence < b.evidence; });
}

Kernel fit_kernel(Observations observations, std::vector<Kernel>& starts, int sweeps) {
  KernelFit fit(std::move(observations), starts, sweeps);
  while (!fit.advance(1e9)) {
  }
  starts = fit.kernels();
  return fit.best();
}

}  // namespace hone::search
