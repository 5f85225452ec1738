#include "search/surrogate.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace hone::search {

using Index = Eigen::Index;

Surrogate::Surrogate(Kernel kernel, Positions candidates, std::size_t capacity)
    : kernel_(std::move(kernel)), candidates_(std::move(candidates)) {
  const auto most = static_cast<Index>(capacity);
  points_ = Positions::Zero(most, candidates_.cols());
  factor_ = Matrix::Zero(most, most);
  solved_ = Matrixf::Zero(candidates_.rows(), most);
  explained_ = Vectorf::Zero(candidates_.rows());
  repeats_ = Vector::Ones(most);
}

void Surrogate::add_all(const Positions& points, const Vector& repeats) {
  const Index n = points.rows();
  points_.topRows(n) = points;
  repeats_.head(n) = repeats;
  Matrix covariance(n, n);
  auto solved = solved_.leftCols(n);
  for (Index i = 0; i < n; ++i) {
    covariance.row(i) = kernel_.correlations(points.row(i), points).transpose();
    covariance(i, i) = 1 + kernel_.noise / repeats[i] + 1e-8;
    solved.col(i) = kernel_.correlations_in_single(points.row(i), candidates_);
  }
  const Eigen::LLT<Matrix> factor(covariance);
  factor_.topLeftCorner(n, n) = factor.matrixL();
  const Matrixf upper = factor.matrixU().toDenseMatrix().cast<float>();
  upper.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(solved);
  explained_ = solved.rowwise().squaredNorm();
  n_ = n;
}

void Surrogate::add(const PositionsRow& point, double repeats) {
  const Vector with_points = kernel_.correlations(point, Positions(points_.topRows(n_)));
  const Vector row = factor_.topLeftCorner(n_, n_).triangularView<Eigen::Lower>().solve(with_points);
  const double pivot = std::sqrt(std::max(1 + kernel_.noise / repeats + 1e-8 - row.squaredNorm(), 1e-8));
  points_.row(n_) = point;
  repeats_[n_] = repeats;
  factor_.row(n_).head(n_) = row.transpose();
  factor_(n_, n_) = pivot;
  Vectorf fresh = kernel_.correlations_in_single(point, candidates_);
  if (n_ > 0) fresh.noalias() -= solved_.leftCols(n_) * row.cast<float>();
  fresh /= static_cast<float>(pivot);
  solved_.col(n_) = fresh;
  explained_ += fresh.cwiseAbs2();
  ++n_;
}

Surrogate::Prediction Surrogate::predict(const Vector& targets, const Trend* trend) const {
  const auto lower = factor_.topLeftCorner(n_, n_).triangularView<Eigen::Lower>();
  const Vector y = lower.solve(targets);
  const Vector ones = lower.solve(Vector::Ones(n_));
  const auto n = static_cast<double>(n_);
  double mean = ones.dot(y) / ones.squaredNorm();
  double variance = (y - mean * ones).squaredNorm() / n;
  Prediction out;
  Vector residual = y - mean * ones;
  out.mean = Vector::Constant(candidates_.rows(), mean);
  if (trend != nullptr) {
    const Vector h = lower.solve(trend->at_points);
    // Ridge towards the expected slope, in units of the residual variance; two rounds settle the variance.
    for (int round = 0; round < 2; ++round) {
      const double precision = std::max(variance, 1e-6) / (trend->slope_spread * trend->slope_spread);
      Eigen::Matrix2d normal;
      normal << ones.squaredNorm(), ones.dot(h), ones.dot(h), h.squaredNorm() + precision;
      const Eigen::Vector2d right(ones.dot(y), h.dot(y) + precision * trend->slope);
      const Eigen::Vector2d solution = normal.ldlt().solve(right);
      mean = solution[0];
      out.slope = solution[1];
      residual = y - mean * ones - out.slope * h;
      variance = residual.squaredNorm() / n;
    }
    out.mean = (out.slope * trend->at_candidates).array() + mean;
  }
  // With few points the variance is mostly a guess; the shrinkage keeps it from collapsing to nothing.
  out.scale = std::sqrt((variance * n + 0.01) / (n + 1));
  out.mean += (solved_.leftCols(n_) * residual.cast<float>()).cast<double>();
  out.deviation = out.scale * (1 - explained_.cast<double>().array()).max(1e-6).sqrt();
  const Vector weights = lower.transpose().solve(residual);
  out.fitted = targets - (kernel_.noise * weights.array() / repeats_.head(n_).array()).matrix();
  return out;
}

Matrix Surrogate::left_open(const std::vector<Eigen::Index>& which) const {
  const Positions points = candidates_(which, Eigen::all);
  const Matrix solved = solved_(which, Eigen::seqN(0, n_)).cast<double>();
  Matrix covariance = -solved * solved.transpose();
  for (Index i = 0; i < points.rows(); ++i) covariance.col(i) += kernel_.correlations(points.row(i), points);
  return covariance;
}

double share_explained(const Kernel& kernel, const Positions& points, const Vector& labels) {
  constexpr double label_noise = 0.3, benefit = 5, of_the_doubt = 0.5;
  const Index n = labels.size();
  const double share = labels.mean(), variance = share * (1 - share);
  if (n < 2 || variance <= 0) return 1;
  Matrix covariance(n, n);
  for (Index i = 0; i < n; ++i) covariance.row(i) = kernel.correlations(points.row(i), points).transpose();
  covariance.diagonal().array() += label_noise;
  const Matrix inverse = covariance.llt().solve(Matrix::Identity(n, n));
  const Vector weights = inverse * (labels.array() - share).matrix();
  const double squares = (weights.array() / inverse.diagonal().array()).square().sum();
  const auto count = static_cast<double>(n);
  return 1 - (squares / variance + benefit * of_the_doubt) / (count + benefit);
}

}  // namespace hone::search
