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

Array difference(Kernel::Family family, bool categorical, const Array& offset) {
  if (categorical) return (offset != 0).cast<double>();
  return family == Kernel::Family::Exponential ? offset.abs().eval() : offset.square().eval();
}

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
    const Matrix& points = observations.points;
    const Index pairs = n_ * (n_ - 1) / 2;
    for (Index d = 0; d < points.cols(); ++d) {
      Array offset(pairs);
      for (Index i = 1, at = 0; i < n_; ++i) {
        for (Index j = 0; j < i; ++j) offset[at++] = points(i, d) - points(j, d);
      }
      differences_.push_back(difference(kernel.family, kernel.categorical[static_cast<std::size_t>(d)], offset));
    }
    distance_ = Array::Zero(pairs);
    for (Index d = 0; d < points.cols(); ++d) distance_ += kernel.weight(d) * differences_[static_cast<std::size_t>(d)];
    kernel_.evidence = evidence(distance_, kernel_);
  }

  /// Moves one logarithm by `step` when that is better.
  bool try_step(Index coordinate, double step) {
    Kernel moved = kernel_;
    Array distance = distance_;
    if (coordinate < moved.inverse_length.size()) {
      const double before = moved.weight(coordinate);
      moved.inverse_length[coordinate] *= std::exp(step);
      distance += (moved.weight(coordinate) - before) * differences_[static_cast<std::size_t>(coordinate)];
    } else {
      moved.noise *= std::exp(step);
      if (moved.noise < least_noise || moved.noise > 10) return false;
    }
    moved.evidence = evidence(distance, moved);
    if (!(moved.evidence > kernel_.evidence + 1e-3)) return false;
    kernel_ = std::move(moved);
    distance_ = std::move(distance);
    return true;
  }

  const Kernel& kernel() const { return kernel_; }

 private:
  double evidence(const Array& distance, const Kernel& kernel) const {
    const Array correlation = correlation_at(kernel.family, distance);
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
  std::vector<Array> differences_;
  Array distance_;
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
  if (++coordinate_ <= observations_.points.cols()) return;
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
