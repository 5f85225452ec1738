#include "search/kernel.hpp"

#include <cmath>

namespace hone::search {

namespace {

using Array = Eigen::ArrayXd;
using Index = Eigen::Index;

/// Alignment matters in some spaces only: data must show it.
constexpr double expected_of_alignment = 0.3;
/// The share of a dimension's factor that depends on how far apart two points are in it. Small shares make effects add
/// up, 1 makes each combination of values an effect of its own.
constexpr double share_of_distance = 0.3;

template <class Scalar>
Eigen::Matrix<Scalar, Eigen::Dynamic, 1> correlations_of(const Kernel& kernel, const PositionsRow& point,
                                                         const Positions& points) {
  using Values = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  Values out = Values::Ones(points.rows());
  for (std::size_t d = 0; d < kernel.dimensions->size(); ++d) {
    const auto& dimension = (*kernel.dimensions)[d];
    const auto column = static_cast<Index>(dimension.column);
    const Eigen::Map<const Array> places(dimension.coordinates.data(),
                                         static_cast<Index>(dimension.coordinates.size()));
    const Values of_value = kernel.factor(static_cast<Index>(d), places - places[point[column]]).cast<Scalar>();
    const std::uint16_t* at = points.col(column).data();
    for (Index i = 0; i < out.size(); ++i) out[i] *= of_value[at[i]];
  }
  return out.matrix();
}

}  // namespace

Kernel Kernel::initial(const Features& features, Family family) {
  Kernel kernel;
  kernel.family = family;
  kernel.dimensions = features.shared();
  kernel.expected = Vector::Ones(static_cast<Index>(features.dimensions().size()));
  const auto alignments = static_cast<Index>(features.dimensions().size() - features.placed());
  kernel.expected.tail(alignments).setConstant(expected_of_alignment);
  kernel.inverse_length = kernel.expected;
  return kernel;
}

Array Kernel::factor(Index dimension, const Array& difference) const {
  const bool categorical = (*dimensions)[static_cast<std::size_t>(dimension)].categorical;
  Array distance = categorical ? (difference != 0).cast<double>().eval() : difference.abs().eval();
  distance *= inverse_length[dimension] * (family == Family::Matern ? std::sqrt(5.0) : 1);
  Array correlation = (-distance).exp();
  if (family == Family::Matern) correlation *= 1 + distance + distance.square() / 3;
  return 1 - share_of_distance + share_of_distance * correlation;
}

Vector Kernel::correlations(const PositionsRow& point, const Positions& points) const {
  return correlations_of<double>(*this, point, points);
}

Vectorf Kernel::correlations_in_single(const PositionsRow& point, const Positions& points) const {
  return correlations_of<float>(*this, point, points);
}

}  // namespace hone::search
