#include "mep/complete.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "mep/draft.hpp"

namespace hone::mep {

Result<Mep> complete(const Extraction& extraction, const ir::Unit& unit, const Limits& limits,
                     DeviceSessions* devices) {
  Draft draft;
  draft.mep.name = extraction.kernels.size() == 1 ? extraction.kernels.front() : join(extraction.kernels, "+");
  draft.mep.language = extraction.language;
  draft.mep.source = extraction.source;
  draft.set = limits.set;
  for (const auto& define : extraction.defines) {
    draft.mep.options.push_back("-D" + define.name + "=" + define.value);
    const auto how = define.place.empty() ? Provenance::Kind::Set : Provenance::Kind::Inferred;
    draft.mep.defines[define.name] = {how, define.place};
  }
  draft.mep.fidelity.reasons = extraction.notes;
  if (auto done = add_kernels(extraction, unit, draft); !done) return fail(std::move(done).error());
  if (auto done = add_launches(extraction, draft); !done) return fail(std::move(done).error());
  draft.mep.fidelity.values = draft.from_host ? 'B' : 'C';
  if (auto done = add_buffers(extraction, unit, draft); !done) return fail(std::move(done).error());
  if (auto done = add_images(extraction, unit, draft); !done) return fail(std::move(done).error());
  let_defines_follow(extraction, draft);
  add_contract(draft);
  if (auto done = add_workloads(limits, devices, draft); !done) return fail(std::move(done).error());
  return std::move(draft.mep);
}

}  // namespace hone::mep
