// hone tune: the best configuration of a template, proven against the original.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/improve.hpp"

namespace hone::app {
namespace {

Answer answer_of(const Improved& improved) {
  const auto& outcome = improved.outcome;
  Answer answer;
  answer.data = {
      {"run", improved.run},          {"device", improved.device.name}, {"evaluations", outcome.evaluations},
      {"failures", outcome.failures}, {"reasons", outcome.reasons},     {"interrupted", outcome.interrupted}};
  if (!outcome.proof) {
    answer.code = ExitCode::No;
    answer.data["speedup"] = nullptr;
    answer.text = "nothing faster than the original was proven\n";
    for (const auto& reason : outcome.reasons) answer.text += "  " + reason + "\n";
    return answer;
  }
  const auto& c = outcome.proof->comparison;
  answer.data["speedup"] = {{"ratio", c.ratio}, {"low", c.low}, {"high", c.high}, {"runs", c.runs}};
  answer.data["template"] = outcome.winner.template_name;
  for (const auto& [name, value] : outcome.winner.configuration)
    answer.data["configuration"][name] = std::visit([](const auto& v) { return nlohmann::json(v); }, value);
  answer.text = fmt::format("{:.2f}x [{:.2f}, {:.2f}] with {} ({})\n", c.ratio, c.low, c.high,
                            outcome.winner.template_name, print(outcome.winner.configuration));
  for (const auto& w : outcome.proof->workloads)
    answer.text += fmt::format("  {:<10} {:.3f} ms -> {:.3f} ms, {:.2f}x\n", name_of(w.role),
                               median(w.incumbent.span).count() / 1e6, median(w.challenger.span).count() / 1e6,
                               w.comparison.ratio);
  return answer;
}

}  // namespace

void add_tune(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("tune", "Finds the best configuration of a template");
  auto folder = std::make_shared<std::string>();
  auto options = std::make_shared<ImproveOptions>();
  options->rules = false;
  options->rounds = 1;
  command->add_option("mep", *folder, "A MEP folder")->required();
  options->add_options(*command);
  choose(command, chosen, [folder, options, &chosen]() -> Result<Answer> {
    const auto mep = load_mep(*folder);
    if (!mep) return fail(mep.error());
    if (options->templates.empty())
      return fail("E-TEMPLATE", "which template?", "hone tune " + *folder + " --template DIR");
    Console console(chosen.json);
    const auto improved = improve_mep(*mep, *options, console);
    if (!improved) return fail(improved.error());
    return answer_of(*improved);
  });
}

}  // namespace hone::app
