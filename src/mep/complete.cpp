#include "mep/complete.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

Status take_fills(const Limits& limits, Draft& draft) {
  for (const auto& [name, fill] : limits.fills) {
    const auto buffer = std::ranges::find(draft.mep.buffers, name, &BufferSpec::name);
    if (buffer == draft.mep.buffers.end()) return fail("E-COMPLETE", "no buffer of these kernels is called " + name);
    buffer->fill = fill;
    draft.because(fmt::format("{}: contents {}, a guess", name, fill));
  }
  return {};
}

}  // namespace

namespace {

/// `(10 * 2)` as `(10*2)`: an option is one word to every compiler.
std::string without_spaces(const std::string& value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool parts_names = i > 0 && i + 1 < value.size() && in_name(value[i - 1]) && in_name(value[i + 1]);
    if (value[i] != ' ' || parts_names) out += value[i];
  }
  return out;
}

}  // namespace

Result<Mep> complete(const Extraction& taken, const ir::Unit& unit, const Limits& limits, DeviceSessions* devices) {
  Draft draft;
  draft.mep.name = taken.kernels.size() == 1 ? taken.kernels.front() : join(taken.kernels, "+");
  draft.mep.language = taken.language;
  draft.mep.source = taken.source;
  draft.set = limits.set;
  for (const auto& define : taken.defines) {
    draft.mep.options.push_back("-D" + define.name + "=" + without_spaces(define.value));
    const auto how = define.place.empty() ? define.provenance.kind : Provenance::Kind::Inferred;
    draft.mep.defines[define.name] = {how, define.place};
  }
  draft.mep.options.insert(draft.mep.options.end(), taken.options.begin(), taken.options.end());
  draft.mep.fidelity.reasons = taken.notes;
  if (auto done = add_kernels(taken, unit, draft); !done) return fail(std::move(done).error());
  const auto extraction = with_constants_as_sizes(taken, draft);
  if (auto done = add_launches(extraction, draft); !done) return fail(std::move(done).error());
  draft.mep.fidelity.values = draft.from_host ? 'B' : 'C';
  if (auto done = add_buffers(extraction, unit, draft); !done) return fail(std::move(done).error());
  if (auto done = take_fills(limits, draft); !done) return fail(std::move(done).error());
  if (auto done = add_images(extraction, unit, draft); !done) return fail(std::move(done).error());
  let_defines_follow(extraction, draft);
  add_contract(draft);
  if (auto done = add_workloads(limits, devices, draft); !done) return fail(std::move(done).error());
  return std::move(draft.mep);
}

}  // namespace hone::mep
