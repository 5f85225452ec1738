#include "app/instantiate.hpp"

namespace hone::app {

Result<Variant> Instantiator::operator()(const Template& proposed, const Configuration& configuration) const {
  auto variant = instantiate_source(proposed, configuration);
  if (variant) variant->options.insert(variant->options.begin(), mep_.options.begin(), mep_.options.end());
  return variant;
}

}  // namespace hone::app
