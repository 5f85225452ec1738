// hone tune: the best configuration of a template, proven against the original; or a search simulated on measurements.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/improve.hpp"
#include "app/outcome_answer.hpp"
#include "app/replay.hpp"
#include "app/reports.hpp"
#include "app/search_report.hpp"
#include "app/shape_options.hpp"
#include "app/tuned_answer.hpp"

namespace hone::app {

namespace {

struct TuneRequest {
  std::string folder, cache, space;
  ShapeOptions shapes;
  ImproveOptions improve;
  SearchFiles files;
};

Result<Answer> tune(const TuneRequest& request, bool json) {
  const auto& options = request.improve;
  if (!request.space.empty()) return describe_space(request.space);
  if (!request.cache.empty())
    return replay({request.cache, options.strategy, options.budget, options.target, options.no_gain, options.prior,
                   options.seed});
  if (request.folder.empty())
    return fail("E-USAGE", "which MEP?", "hone tune X.mep --template DIR, or hone tune --replay CACHE");
  auto mep = load_mep(request.folder);
  if (mep) mep = shaped(std::move(*mep), request.shapes);
  if (!mep) return fail(mep.error());
  if (options.templates.empty())
    return fail("E-TEMPLATE", "which template?", "hone tune " + request.folder + " --template DIR");
  Console console(json);
  TimeLedger ledger(steady_now);
  const auto improved = improve_mep(*mep, options, console, ledger);
  if (!improved) return fail(improved.error());
  auto run = run_of(*mep, *improved);
  run.spent = ledger.so_far();
  if (auto kept = keep_report(improved->run, run); !kept) console.note("report not kept: " + kept.error().message());
  auto answer = answer_of(run, *improved);
  if (auto done = add_insight(answer, improved->outcome); !done) return fail(done.error());
  if (const auto* searched = chosen_search(improved->outcome))
    if (auto done = write_files(request.files, *mep, improved->device.name, *searched); !done)
      return fail(done.error());
  return answer;
}

}  // namespace

void add_tune(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("tune", "Finds the best configuration of a template");
  auto request = std::make_shared<TuneRequest>();
  request->improve.rules = false;
  command->add_option("mep", request->folder, "A MEP folder");
  command->add_option("--replay", request->cache,
                      "Simulate on measurements in Kernel Tuner's cache format or T4 instead");
  command->add_option("--space", request->space, "Only count and list the space of a T1 file");
  request->improve.add_options(*command);
  request->shapes.add_options(*command);
  command->add_option("--prior", request->improve.prior,
                      "Measurements of the same template elsewhere, as a cache or T4 file");
  command->add_option("--cache", request->files.cache, "Write what was measured as Kernel Tuner's cache");
  command->add_option("--t4", request->files.t4, "Write what was measured as T4");
  command->add_option("--t1", request->files.t1, "Write the space as T1");
  choose(command, chosen, [request, &chosen] { return tune(*request, chosen.json); });
}

}  // namespace hone::app
