#include "emulator/warp.hpp"

#include <algorithm>
#include <bit>

#include "emulator/abi.hpp"

namespace hone::emulator {
namespace {

using Deposits = std::array<Deposit, kLanes>;
constexpr std::uint64_t kTrue = std::uint64_t{1} << 32U;

bool has(std::uint32_t mask, std::uint32_t lane) { return (mask >> lane & 1U) != 0; }

/// PTX: the low five bits of `b` clamp, bits 8 to 12 are the segment.
std::uint64_t shuffled(std::uint32_t kind, const Deposits& all, std::uint32_t lane) {
  const std::uint32_t from = all[lane].a & 31U, clamp = all[lane].b & 31U, segment = all[lane].b >> 8U & 31U;
  const std::uint32_t last = (lane & segment) | (clamp & ~segment);
  const std::uint32_t first = lane & segment;
  std::uint32_t source = lane;
  bool inside = false;
  switch (kind) {
    case kHoneUp:
      source = lane - from;
      inside = static_cast<std::int32_t>(source) >= static_cast<std::int32_t>(last);
      break;
    case kHoneDown:
      source = lane + from;
      inside = source <= last;
      break;
    case kHoneButterfly:
      source = lane ^ from;
      inside = source <= last;
      break;
    default: source = first | (from & ~segment); inside = source <= last;
  }
  if (!inside) source = lane;
  return (all[source & 31U].value & 0xFFFFFFFFU) | (inside ? kTrue : 0);
}

std::uint32_t ballot(const Deposits& all, std::uint32_t mask) {
  std::uint32_t bits = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (has(mask, lane) && all[lane].value != 0) bits |= 1U << lane;
  return bits;
}

std::uint64_t matching(const Deposits& all, std::uint32_t mask, std::uint64_t value) {
  std::uint32_t bits = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (has(mask, lane) && all[lane].value == value) bits |= 1U << lane;
  return bits;
}

std::uint32_t reduced(std::uint32_t kind, const Deposits& all, std::uint32_t mask) {
  std::optional<std::uint32_t> sum;
  const auto as_signed = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!has(mask, lane)) continue;
    const auto x = static_cast<std::uint32_t>(all[lane].value);
    if (!sum) {
      sum = x;
      continue;
    }
    switch (kind) {
      case kHoneSum: *sum += x; break;
      case kHoneMinSigned: *sum = as_signed(x) < as_signed(*sum) ? x : *sum; break;
      case kHoneMaxSigned: *sum = as_signed(x) > as_signed(*sum) ? x : *sum; break;
      case kHoneMinUnsigned: *sum = std::min(*sum, x); break;
      case kHoneMaxUnsigned: *sum = std::max(*sum, x); break;
      case kHoneAnd: *sum &= x; break;
      case kHoneOr: *sum |= x; break;
      default: *sum ^= x;
    }
  }
  return sum.value_or(0);
}

std::uint64_t result_of(std::uint32_t kind, const Deposits& all, std::uint32_t mask, std::uint32_t lane) {
  switch (kind) {
    case kHoneUp:
    case kHoneDown:
    case kHoneButterfly:
    case kHoneIndex: return shuffled(kind, all, lane);
    case kHoneAny: return ballot(all, mask) != 0 ? 1 : 0;
    case kHoneAll: return ballot(all, mask) == mask ? 1 : 0;
    case kHoneUniform: return ballot(all, mask) == mask || ballot(all, mask) == 0 ? 1 : 0;
    case kHoneBallot: return ballot(all, mask);
    case kHoneMatchAny: return matching(all, mask, all[lane].value);
    case kHoneMatchAll: return matching(all, mask, all[lane].value) == mask ? mask | kTrue : 0;
    case kHoneWarpBarrier: return 0;
    default: return reduced(kind, all, mask);
  }
}

}  // namespace

std::optional<std::uint32_t> Warp::arrive(std::uint32_t kind, std::uint32_t mask, std::uint32_t lane,
                                          const Deposit& deposit) {
  const auto same = [&](const Pending& one) { return one.kind == kind && one.mask == mask && !has(one.arrived, lane); };
  auto found = std::ranges::find_if(pending_, same);
  if (found == pending_.end()) found = pending_.insert(pending_.end(), Pending{kind, mask, 0, {}});
  found->deposits[lane] = deposit;
  found->arrived |= 1U << lane;
  return complete(static_cast<std::size_t>(found - pending_.begin()));
}

std::optional<std::uint32_t> Warp::end(std::uint32_t lane) {
  ended_ |= 1U << lane;
  for (std::size_t at = 0; at < pending_.size(); ++at)
    if (auto done = complete(at)) return done;
  return std::nullopt;
}

std::optional<std::uint32_t> Warp::complete(std::size_t at) {
  const auto& one = pending_[at];
  const std::uint32_t wanted = one.mask & ~(ended_ & ~one.arrived);
  if ((wanted & ~one.arrived) != 0) return std::nullopt;
  const std::uint32_t arrived = one.arrived;
  was_barrier_ = one.kind == kHoneWarpBarrier;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (has(arrived, lane)) results_[lane] = result_of(one.kind, one.deposits, arrived, lane);
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(at));
  return arrived;
}

}  // namespace hone::emulator
