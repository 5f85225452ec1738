#include "search/kernel.hpp"

#include <cmath>

namespace hone::search {

namespace {

using Index = Eigen::Index;

/// Alignment matters in some spaces only: data must show it.
constexpr double expected_of_alignment = 0.3;

template <class Scalar>
using ArrayOf = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

template <class Scalar>
ArrayOf<Scalar> correlations_of(const Kernel& kernel, const Eigen::Ref<const Eigen::RowVectorXd>& point,
                                const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& points) {
  ArrayOf<Scalar> distance = ArrayOf<Scalar>::Zero(points.rows());
  for (Index d = 0; d < points.cols(); ++d) {
    const auto w = static_cast<Scalar>(kernel.weight(d));
    const auto at = static_cast<Scalar>(point[d]);
    if (kernel.categorical[static_cast<std::size_t>(d)]) {
      distance += w * (points.col(d).array() != at).template cast<Scalar>();
    } else if (kernel.family == Kernel::Family::Exponential) {
      distance += w * (points.col(d).array() - at).abs();
    } else {
      distance += w * (points.col(d).array() - at).square();
    }
  }
  return correlation_at(kernel.family, distance);
}

}  // namespace

Kernel Kernel::initial(const Features& features, Family family) {
  Kernel kernel;
  kernel.family = family;
  kernel.inverse_length = Vector::Ones(static_cast<Index>(features.dimensions()));
  const auto alignments = static_cast<Index>(features.dimensions() - features.placed());
  kernel.inverse_length.tail(alignments).setConstant(expected_of_alignment);
  kernel.expected = kernel.inverse_length;
  for (std::size_t d = 0; d < features.dimensions(); ++d) kernel.categorical.push_back(features.categorical(d));
  return kernel;
}

Vector Kernel::correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrix& points) const {
  return correlations_of<double>(*this, point, points).matrix();
}

Vectorf Kernel::correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrixf& points) const {
  return correlations_of<float>(*this, point, points).matrix();
}

}  // namespace hone::search
