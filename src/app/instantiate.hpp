#pragma once
// Both forms of a Template answer instantiate(Configuration): source templates by core/, schedules by rules/ over the
// lifted kernel, which is lifted once and only when a schedule asks for it.

#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::app {

class Instantiator {
 public:
  explicit Instantiator(const Mep& mep) : mep_(mep) {}
  Result<Variant> operator()(const Template& proposed, const Configuration& configuration) const;

 private:
  const Mep& mep_;
};

}  // namespace hone::app
