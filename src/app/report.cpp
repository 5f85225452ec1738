// hone report: the last run, or a run by its id, as Markdown. Every optimize and tune leaves its report in the state
// folder.
#include <filesystem>

#include "app/commands.hpp"
#include "app/reports.hpp"
#include "app/setting.hpp"
#include "os/files.hpp"

namespace hone::app {

Status keep_report(const std::string& run, const report::Run& what) {
  const auto state = state_folder();
  if (!state) return fail(state.error());
  const auto base = *state + "/reports/";
  auto page = report::data(what);
  page["run"] = run;
  for (const auto& name : {run, std::string("last")}) {
    if (auto done = os::write_text(base + name + ".md", report::markdown(what)); !done) return done;
    if (auto done = os::write_text(base + name + ".json", page.dump(2)); !done) return done;
  }
  return {};
}

void add_report(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("report", "Shows a finished run as Markdown");
  auto run = std::make_shared<std::string>("last");
  command->add_option("run", *run, "The id of a run; the last one when absent")->capture_default_str();
  choose(command, chosen, [run]() -> Result<Answer> {
    const auto state = state_folder();
    if (!state) return fail(state.error());
    const auto base = *state + "/reports/" + *run;
    const auto text = os::read_text(base + ".md"), data = os::read_text(base + ".json");
    if (!text || !data || run->find('/') != std::string::npos)
      return fail("E-REPORT", "there is no report of run " + *run, "hone optimize DIR --kernel NAME");
    Answer answer;
    answer.text = *text;
    answer.data = nlohmann::json::parse(*data, nullptr, false);
    return answer;
  });
}

}  // namespace hone::app
