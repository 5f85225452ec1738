#include "search/kernel.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace hone::search {

namespace {

using Array = Eigen::ArrayXd;
using Index = Eigen::Index;

constexpr double noise_center = -4.605170185988091;  // log 0.01
constexpr double noise_spread = 1.5;
constexpr double root5 = 2.23606797749979;

Array correlation_of(Kernel::Family family, const Array& distance) {
  if (family == Kernel::Family::Exponential) return (-distance).exp();
  const Array r = distance.sqrt() * root5;
  return (1 + r + r * r / 3) * (-r).exp();
}

/// What one dimension adds to the distance: |d| / l for the exponential, (d / l)^2 for Matern.
Array difference(Kernel::Family family, bool categorical, const Array& offset) {
  if (categorical) return (offset != 0).cast<double>();
  return family == Kernel::Family::Exponential ? offset.abs().eval() : offset.square().eval();
}

double weight(Kernel::Family family, double inverse_length) {
  return family == Kernel::Family::Exponential ? inverse_length : inverse_length * inverse_length;
}

/// The evidence of a kernel on fixed data as a function of its logarithms, with all pair differences made once.
class Evidence {
 public:
  Evidence(const Matrix& points, const Vector& targets, const Vector& repeats, const Kernel& kernel)
      : kernel_(kernel), targets_(targets), repeats_(repeats), n_(points.rows()) {
    const Index pairs = n_ * (n_ - 1) / 2;
    for (Index d = 0; d < points.cols(); ++d) {
      Array offset(pairs);
      for (Index i = 1, at = 0; i < n_; ++i) {
        for (Index j = 0; j < i; ++j) offset[at++] = points(i, d) - points(j, d);
      }
      differences_.push_back(difference(kernel.family, kernel.categorical[static_cast<std::size_t>(d)], offset));
    }
    distance_ = Array::Zero(pairs);
    for (Index d = 0; d < points.cols(); ++d) {
      distance_ += weight(kernel.family, kernel.inverse_length[d]) * differences_[static_cast<std::size_t>(d)];
    }
    kernel_.evidence = evidence(distance_, kernel_);
  }

  /// Moves one logarithm by `step` when that is better.
  bool try_step(Index coordinate, double step) {
    Kernel moved = kernel_;
    Array distance = distance_;
    if (coordinate < moved.inverse_length.size()) {
      const double before = weight(moved.family, moved.inverse_length[coordinate]);
      moved.inverse_length[coordinate] *= std::exp(step);
      const double after = weight(moved.family, moved.inverse_length[coordinate]);
      distance += (after - before) * differences_[static_cast<std::size_t>(coordinate)];
    } else {
      moved.noise *= std::exp(step);
      if (moved.noise < 1e-6 || moved.noise > 10) return false;
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
    const Array correlation = correlation_of(kernel.family, distance);
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
      const double log = std::log(kernel.inverse_length[d]);
      out -= 0.5 * log * log;
    }
    const double off = (std::log(kernel.noise) - noise_center) / noise_spread;
    return out - 0.5 * off * off;
  }

  Kernel kernel_;
  const Vector& targets_;
  const Vector& repeats_;
  Index n_;
  std::vector<Array> differences_;
  Array distance_;
};

}  // namespace

Kernel Kernel::initial(const Features& features, Family family) {
  Kernel kernel;
  kernel.family = family;
  kernel.inverse_length = Vector::Ones(static_cast<Index>(features.dimensions()));
  for (std::size_t d = 0; d < features.dimensions(); ++d) kernel.categorical.push_back(features.categorical(d));
  return kernel;
}

Vector Kernel::correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrix& points) const {
  Array distance = Array::Zero(points.rows());
  for (Index d = 0; d < points.cols(); ++d) {
    const double w = weight(family, inverse_length[d]);
    if (categorical[static_cast<std::size_t>(d)]) {
      distance += w * (points.col(d).array() != point[d]).cast<double>();
    } else if (family == Family::Exponential) {
      distance += w * (points.col(d).array() - point[d]).abs();
    } else {
      distance += w * (points.col(d).array() - point[d]).square();
    }
  }
  return correlation_of(family, distance).matrix();
}

Kernel fit_kernel(const Matrix& points, const Vector& targets, const Vector& repeats, std::vector<Kernel>& starts,
                  int sweeps) {
  std::size_t best = 0;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    Evidence evidence(points, targets, repeats, starts[k]);
    double step = 1.0;
    for (int sweep = 0; sweep < sweeps; ++sweep, step *= 0.5) {
      for (Index c = 0; c <= points.cols(); ++c) {
        if (!evidence.try_step(c, step)) evidence.try_step(c, -step);
      }
    }
    starts[k] = evidence.kernel();
    if (starts[k].evidence > starts[best].evidence) best = k;
  }
  return starts[best];
}

}  // namespace hone::search
