// The contract: what sizes must satisfy because the original program would break otherwise. Found by trying: sizes that
// divide by nothing, one at a time, against the rules of a launch (work-groups divide the global size) and the host's
// own buffers.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/launch_walk.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

/// Work-groups divide, buffers are at least one element and hold all that is reached.
bool works(const Draft& draft, const Sizes& sizes) {
  const auto names = environment(draft, sizes);
  bool out = true;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    Sizes inside = sizes;
    for (const auto* loop : loops)
      inside[loop->variable] = loop->begin.evaluate_integer(environment(draft, inside)).value_or(0);
    const auto here = environment(draft, inside);
    for (std::size_t d = 0; d < std::min(launch.local.size(), launch.global.size()); ++d) {
      const auto global = launch.global[d].evaluate_integer(here);
      const auto local = launch.local[d].evaluate_integer(here);
      out = out && global && local && *local > 0 && *global % *local == 0;
    }
  });
  for (const auto& buffer : draft.mep.buffers) {
    const auto has = buffer.extent.evaluate_integer(names);
    const auto needed = draft.needed.find(buffer.name);
    if (needed == draft.needed.end()) continue;
    const auto needs = needed->second.evaluate_integer(names);
    out = out && has && needs && *has >= *needs;
  }
  return out;
}

std::int64_t largest_group(const Draft& draft) {
  std::int64_t out = 1;
  each_launch(std::as_const(draft.steps), [&](const Launch& launch, const auto&) {
    for (const auto& size : launch.local) {
      const auto local = size.evaluate_integer(environment(draft, {}));
      if (local && *local > 0 && out < 4096) out = std::lcm(out, *local);
    }
  });
  return out;
}

/// Steps of loops over tiles: a kernel that walks in strides of 16 without a guard needs multiples of 16.
std::int64_t tile_of(const Draft& draft) {
  std::int64_t out = 1;
  for (const auto& [unused, view] : draft.views) {
    for (const auto& loop : view.loops) {
      const auto step = loop.step ? loop.step->constant() : std::nullopt;
      if (step && *step > 1 && *step <= 1024) out = std::lcm(out, *step);
    }
  }
  return out;
}

/// What the host starts from, where it is known.
Sizes host_sizes(const Draft& draft, const Sizes& otherwise) {
  Sizes out = otherwise;
  for (auto& [name, value] : out)
    if (const auto start = draft.start.find(name); start != draft.start.end() && start->second) value = *start->second;
  return out;
}

/// Where the host's buffer is smaller than what the accesses seem to need, whatever the sizes, it is the view of the
/// accesses that sees too much: a condition it does not understand. The run under watch decides then.
void drop_what_no_size_keeps(Draft& draft, const Sizes& even) {
  const Sizes host = host_sizes(draft, even);
  for (const auto& buffer : draft.mep.buffers) {
    const auto needed = draft.needed.find(buffer.name);
    if (needed == draft.needed.end()) continue;
    const auto too_small = [&](const Sizes& sizes) {
      const auto has = buffer.extent.evaluate_integer(environment(draft, sizes));
      const auto needs = needed->second.evaluate_integer(environment(draft, sizes));
      return has && needs && *has < *needs;
    };
    if (!too_small(even) || !too_small(host)) continue;
    draft.because(
        fmt::format("{}: its accesses seem to need {} elements, the host gives {}: a condition on them was not "
                    "understood, and the host is believed",
                    buffer.name, needed->second.print(), buffer.extent.print()));
    draft.needed.erase(needed);
  }
}

}  // namespace

bool own_arrays_hold(const Draft& draft, const Sizes& sizes) {
  const auto names = environment(draft, sizes);
  return std::ranges::all_of(draft.own_arrays, [&](const OwnArray& own) {
    const auto needs = own.needs.evaluate_integer(names);
    return !needs || *needs <= own.holds;
  });
}

bool keeps_contract(const Draft& draft, const Sizes& sizes) {
  return std::ranges::all_of(
             draft.mep.contract,
             [&](const Expression& e) { return e.evaluate_condition(environment(draft, sizes)).value_or(false); }) &&
         own_arrays_hold(draft, sizes) && works(draft, sizes);
}

void add_contract(Draft& draft) {
  const auto step = std::lcm(largest_group(draft), tile_of(draft));
  Sizes even;
  for (std::int64_t times = 8; times >= 1; times /= 2) {
    for (const auto& name : draft.sizes) even[name] = std::max<std::int64_t>(step * times, times * 8);
    if (own_arrays_hold(draft, even)) break;
  }
  // Where neither the smallest sizes nor the host's fit, the view of the accesses is what is wrong.
  const auto misread = [&](const OwnArray& own) {
    const auto least = own.needs.evaluate_integer(environment(draft, even));
    const auto host = own.needs.evaluate_integer(environment(draft, host_sizes(draft, even)));
    return !least || *least > own.holds || (host && *host > own.holds);
  };
  std::erase_if(draft.own_arrays, misread);
  for (const auto& own : draft.own_arrays) {
    draft.mep.contract.push_back(
        Expression::parse(fmt::format("{} <= {}", own.needs.print(), own.holds)).value_or(Expression()));
    draft.because(
        fmt::format("{} of the kernel holds {} elements and needs {}", own.name, own.holds, own.needs.print()));
  }
  drop_what_no_size_keeps(draft, even);
  if (!works(draft, even)) return;
  for (const auto& name : draft.sizes) {
    Sizes odd = even;
    odd[name] = even[name] - 1;
    if (works(draft, odd)) continue;
    std::int64_t needed = step;  // the smallest divisor of the step that does
    for (std::int64_t d = 2; d <= step; ++d) {
      if (step % d != 0) continue;
      odd[name] = even[name] - d;
      if (works(draft, odd)) {
        needed = d;
        break;
      }
    }
    if (needed <= 1) continue;
    const auto rest = Expression::binary("%", Expression::name(name), Expression::literal(Value(needed)));
    draft.mep.contract.push_back(Expression::binary("==", rest, Expression::literal(Value(std::int64_t{0}))));
    draft.because(fmt::format(
        "{} must be a multiple of {}: the host launches whole work-groups and the kernel does not guard the rest", name,
        needed));
  }
}

}  // namespace hone::mep
