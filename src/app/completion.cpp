#include "app/completion.hpp"

#include <fmt/format.h>

#include "app/application.hpp"
#include "app/model_completion.hpp"
#include "core/accounted.hpp"
#include "mep/complete.hpp"
#include "mep/driver_expected.hpp"
#include "mep/folder.hpp"

namespace hone::app {
void add_completion_options(CLI::App& command, CompletionRequest& request) {
  command.add_option("-D", request.defines, "NAME=VALUE as the application's build defines it");
  command.add_option("--file", request.file, "The file with the kernel, when several define one of that name");
  command.add_option("--set", request.set, "NAME=VALUE of a size or another scalar; may be repeated");
  command
      .add_option("--tolerance", request.tolerance, "Relative difference to allow in outputs, instead of their type's")
      ->check(CLI::NonNegativeNumber);
  request.shapes.add_options(command);
  command.add_option("--t-min", request.t_min, "Milliseconds that a pass of the kernels should at least take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--t-max", request.t_max, "Milliseconds that a whole evaluation may take at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--s-max", request.s_max, "MiB that the data of a workload may take at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

Result<Completed> complete_application(const CompletionRequest& request, Console& console, TimeLedger& ledger) {
  const auto set = parse_set(request.set);
  if (!set) return fail(set.error());
  auto extraction = extract_kernel(request.application, request.kernel, request.defines, request.file);
  if (!extraction) return fail(std::move(extraction).error());
  const auto unit = lift_extraction(*extraction);  // after this, nothing touches the application's files
  if (!unit) return fail(unit.error());
  const auto device = request.device.speaking(extraction->language);
  if (!device) return fail(device.error());
  worker::WorkerSessions workers(device->options());
  AccountedSessions sessions(workers, ledger);
  mep::Limits limits;
  limits.set = *set;
  limits.t_min = Milliseconds(request.t_min);
  limits.t_max = Milliseconds(request.t_max);
  limits.pass_max = Milliseconds(request.pass_max);
  limits.s_max = mebibytes(request.s_max);
  auto mep = mep::complete(*extraction, *unit, limits, &sessions);
  std::string exchanges;
  if (!mep && !request.model.name.empty() && is_about_completion(mep.error())) {
    auto proposed = complete_by_model(*extraction, mep.error(), limits, sessions, request.model, request.only_recorded,
                                      console, ledger);
    if (!proposed) return fail(std::move(proposed).error());
    mep = std::move(proposed->mep);
    *extraction = std::move(proposed->extraction);
    exchanges = std::move(proposed->exchanges);
  }
  if (mep) mep = shaped(std::move(*mep), request.shapes);
  if (!mep) return fail(std::move(mep).error());
  if (request.tolerance) {
    mep->check.tolerance = request.tolerance;
    mep->fidelity.reasons.push_back(
        fmt::format("outputs may differ by {:g} of their size: set by the person", *request.tolerance));
  }
  auto session = sessions.start();
  if (!session) return fail(std::move(session).error());
  const auto expected = mep::expect(*mep, **session);
  if (!expected) return fail(expected.error());
  auto folder = mep::mep_folder(*mep, to_json(extraction->origin), *expected, (*session)->device());
  if (!folder) return fail(std::move(folder).error());
  console.note("took " + mep->name + " out of " + request.application + ", fidelity " + mep->fidelity.values);
  return Completed{std::move(*mep), std::move(extraction->origin), std::move(*folder), std::move(extraction->notes),
                   std::move(exchanges)};
}

}  // namespace hone::app
