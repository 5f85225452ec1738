#include "app/instantiate.hpp"

#include "core/sized_options.hpp"
#include "ir/dialect.hpp"
#include "source/lift.hpp"

namespace hone::app {
namespace {

ir::LiftOptions lift_options(const Mep& mep) {
  ir::LiftOptions options;
  options.defines = defines_in(options_at_tune(mep));
  return options;
}

}  // namespace

Result<rules::LiftedKernel> lift_kernel(const Mep& mep) {
  auto unit = source::ClangLifter().lift(mep.source, ir::dialect_of(mep.language), lift_options(mep));
  if (!unit) return fail(std::move(unit).error());
  return rules::LiftedKernel{std::move(*unit), mep.kernels.front().name, without_held_out(mep)};
}

Instantiator::Instantiator(const Mep& mep)
    : options_(mep.options), lifted_(std::make_shared<const Result<rules::LiftedKernel>>(lift_kernel(mep))) {}

Result<Variant> Instantiator::operator()(const Template& proposed, const Configuration& configuration) const {
  if (!proposed.schedule.empty()) {
    if (!*lifted_) return fail(lifted_->error());
    return rules::replay(**lifted_, proposed.schedule, configuration);
  }
  auto variant = instantiate_source(proposed, configuration);
  if (variant) variant->options.insert(variant->options.begin(), options_.begin(), options_.end());
  return variant;
}

}  // namespace hone::app
