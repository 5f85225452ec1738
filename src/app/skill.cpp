// hone skill: how an agent goes from a tree to a validated patch, as a file that agents read.
#include "app/commands.hpp"
#include "embedded/hone_app.hpp"
#include "os/files.hpp"

namespace hone::app {

void add_skill(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("skill", "Prints the guide for coding agents, or installs it as a skill");
  auto folder = std::make_shared<std::string>();
  command->add_option("--to", *folder, "A folder of skills: hone/SKILL.md is written there");
  choose(command, chosen, [folder]() -> Result<Answer> {
    Answer answer;
    const std::string text(embedded::skill_SKILL_md);
    if (folder->empty()) {
      answer.text = text;
      answer.data = {{"text", text}};
      return answer;
    }
    const auto file = os::Path(*folder) / "hone" / "SKILL.md";
    if (auto done = os::write_text(file, text); !done) return fail(std::move(done).error());
    answer.text = "written to " + file.string() + "\n";
    answer.data = {{"file", file.string()}};
    return answer;
  });
}

}  // namespace hone::app
