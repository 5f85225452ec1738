// No variant is faster than the bytes that must move: those K(0) writes, and those of its inputs that its answer
// depends on. The second are found out only once a time looks too good, by changing elements and looking at the answer.

#include <fmt/format.h>

#include "judge/judge.hpp"

namespace hone::judge {
namespace {

/// Another kernel may stream better than the one the device was measured with, never twice as well.
constexpr double kFastestDoubt = 2;

Bytes all_bytes(const Problem& problem) {
  Bytes sum{0};
  for (const auto& buffer : problem.buffers)
    if (const auto type = element_type(buffer.type)) sum.count += buffer.count * type->bytes();
  return sum;
}

}  // namespace

Checked<std::monostate> Judge::believable(const Workload& workload, const Timed& timed) {
  if (!on(Defence::ImpossibleTime) || ports_.speed == nullptr) return {};
  auto device = reference_.device();
  if (!device) return stop(std::move(device).error());
  const auto problem = concretise(mep_, workload, {}, *device, options_.seed);
  if (!problem) return stop(problem.error());
  const auto claimed = median(timed.span) * kFastestDoubt;
  const auto at_most = ports_.speed->least_time(all_bytes(*problem));
  if (!at_most || claimed >= *at_most) return {};
  const auto compulsory = reference_.compulsory(workload, options_.seed);
  if (!compulsory) return stop(compulsory.error());
  const auto known = ports_.speed->least_time(*compulsory);
  if (!known || claimed >= *known) return {};
  const auto now = ports_.speed->least_time_now(*compulsory);
  if (!now || claimed >= *now) return {};
  return stop(Verdict(Unsafe{std::string(name_of(Defence::ImpossibleTime)),
                             fmt::format("the median of {:.0f} ns on {} is less than half of the {:.0f} ns in which "
                                         "this device moves the {} bytes that must move",
                                         median(timed.span).count(), workload.name, now->count(), compulsory->count)}));
}

}  // namespace hone::judge
