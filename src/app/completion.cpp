#include "app/completion.hpp"

#include "app/application.hpp"
#include "app/instantiate.hpp"
#include "core/accounted.hpp"
#include "mep/complete.hpp"
#include "mep/driver_expected.hpp"
#include "mep/folder.hpp"
#include "source/lift.hpp"

namespace hone::app {
namespace {

Result<ir::Unit> lift(const Extraction& extraction) {
  ir::LiftOptions options;
  for (const auto& define : extraction.defines) options.defines[define.name] = define.value;
  return source::ClangLifter().lift(extraction.source, dialect_of(extraction.language), options);
}

}  // namespace

Result<Completed> complete_application(const CompletionRequest& request, Console& console, TimeLedger& ledger) {
  auto extraction = extract_kernel(request.application, request.kernel, request.defines);
  if (!extraction) return fail(std::move(extraction).error());
  const auto unit = lift(*extraction);  // after this, nothing touches the application's files
  if (!unit) return fail(unit.error());
  worker::WorkerSessions workers(request.device.options());
  AccountedSessions sessions(workers, ledger);
  auto mep = mep::complete(*extraction, *unit, {}, &sessions);
  if (!mep) return fail(std::move(mep).error());
  auto session = sessions.start();
  if (!session) return fail(std::move(session).error());
  const auto expected = mep::expect(*mep, **session);
  if (!expected) return fail(expected.error());
  auto folder = mep::mep_folder(*mep, to_json(extraction->origin), *expected, (*session)->device());
  if (!folder) return fail(std::move(folder).error());
  console.note("took " + mep->name + " out of " + request.application + ", fidelity " + mep->fidelity.values);
  return Completed{std::move(*mep), std::move(extraction->origin), std::move(*folder), std::move(extraction->notes)};
}

}  // namespace hone::app
