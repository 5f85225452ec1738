// What to do when K(0) leaves its buffers, dies or hangs with the contents that were chosen: others, in a fixed order,
// each tried at a small size with room around every buffer. A kernel that follows indices in data gets indices it can
// follow; a buffer of unknown extent grows to where the kernel was seen.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/layout.hpp"
#include "mep/trial.hpp"

namespace hone::mep {
namespace {

constexpr Milliseconds kSmallRun{5000};
/// A kernel without sizes cannot be made smaller.
constexpr Milliseconds kOnlyRun{30000};
constexpr int kGrowths = 4;

std::string what_happened(const Attempt& attempt) {
  if (!attempt.ran) return attempt.reason;
  if (!attempt.ran->broken_guards.empty()) return "it writes outside of " + attempt.ran->broken_guards.front();
  for (const auto& [name, how_far] : attempt.ran->strayed)
    return fmt::format("it touches memory {} {}", how_far.after > 0 ? "after the end of" : "before the start of", name);
  return "nothing";
}

bool holds_integers(const BufferSpec& buffer) {
  const auto type = element_type(buffer.type);
  return type && type->kind != ScalarKind::Float;
}

void set_fills(Draft& draft, const std::string& fill, bool all) {
  for (auto& buffer : draft.mep.buffers) {
    if (buffer.fill == "zero" && fill != "zero") continue;  // only written, or a counter
    if (holds_integers(buffer) && (all || draft.index_buffers.contains(buffer.name))) buffer.fill = fill;
  }
}

/// Where it went beyond the end of buffers whose extent nobody stated, these grow. False: nothing to grow.
bool grow(Draft& draft, const Attempt& attempt, const Sizes& sizes, bool stated_too) {
  bool grown = false;
  for (auto& buffer : draft.mep.buffers) {
    const auto found = attempt.ran->strayed.find(buffer.name);
    if (found == attempt.ran->strayed.end() || found->second.after == 0) continue;
    const bool guessed = draft.guessed_extents.contains(buffer.name);
    if (!guessed && !stated_too) continue;
    const auto count = buffer.extent.evaluate_integer(environment(draft, sizes));
    const auto layout = layout_of(buffer.type, draft.mep.structs);
    if (!count || *count <= 0 || !layout || layout->bytes == 0) continue;
    const auto more = static_cast<std::int64_t>((found->second.after + layout->bytes - 1) / layout->bytes);
    std::int64_t factor = 2;
    while (factor < 4096 && *count * factor < *count + more) factor *= 2;
    if (factor >= 4096) continue;
    buffer.extent = guessed ? simplified(Expression::binary("*", Expression::literal(Value(factor)), buffer.extent))
                            : simplified(Expression::binary("+", buffer.extent, Expression::literal(Value(more))));
    draft.because(
        fmt::format("{}: {} elements, since K(0) was seen to reach that far", buffer.name, buffer.extent.print()));
    grown = true;
  }
  return grown;
}

}  // namespace

Status mend(Trial& trial, Draft& draft, const Sizes& sizes) {
  const auto patience = draft.sizes.empty() ? kOnlyRun : kSmallRun;
  const auto first_buffers = draft.mep.buffers;
  const auto first_reasons = draft.mep.fidelity.reasons;
  const auto attempt = [&] { return trial.run(workload_of(draft, "tune", Role::Tune, sizes), true, patience); };
  const auto with_growth = [&](bool stated_too) {
    auto made = attempt();
    for (int i = 0; i < kGrowths && made.ran && !made.clean() && grow(draft, made, sizes, stated_too); ++i)
      made = attempt();
    return made;
  };
  if (auto ready = trial.prepare(); !ready) return ready;
  auto made = with_growth(false);
  if (made.clean()) return {};
  const auto why = what_happened(made);
  struct Try {
    std::string fill;
    bool all;  // every buffer of integers, not only those known to be indices
  };
  std::vector<std::string> tried;
  for (const auto& one : {Try{"index(8)", false}, Try{"const(7)", false}, Try{"ramp", false}, Try{"zero", false},
                          Try{"uniform_int(0,7)", true}, Try{"ramp", true}, Try{"zero", true}}) {
    if (!one.all && draft.index_buffers.empty()) continue;
    if (trial.late()) break;
    draft.mep.buffers = first_buffers;
    draft.mep.fidelity.reasons = first_reasons;
    set_fills(draft, one.fill, one.all);
    if (draft.mep.buffers == first_buffers) continue;
    tried.push_back(one.fill);
    made = with_growth(false);
    if (!made.clean()) continue;
    draft.because(
        fmt::format("{} are {}: with what was chosen first, {}", one.all ? "integers" : "indices", one.fill, why));
    return {};
  }
  draft.mep.buffers = first_buffers;
  draft.mep.fidelity.reasons = first_reasons;
  made = with_growth(true);  // a kernel that reads a little beyond what its host gives it
  if (made.clean()) return {};
  const auto plain = trial.run(workload_of(draft, "tune", Role::Tune, sizes), false, patience);
  if (made.ran && plain.clean()) {
    draft.because(fmt::format("K(0) itself reads outside of its buffers: {}", what_happened(made)));
    return {};
  }
  const auto others = tried.empty() ? std::string() : "; nor with integers " + join(tried, ", ");
  return fail("E-COMPLETE", fmt::format("K(0) does not run on {}: {}{}", trial.device().name, why, others),
              "give what is wrong with --set NAME=VALUE, or write mep.toml by hand");
}

}  // namespace hone::mep
