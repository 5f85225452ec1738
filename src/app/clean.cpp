// hone clean: what is kept between runs, and how to be rid of it.
#include <fmt/format.h>

#include <cstdlib>

#include "app/commands.hpp"
#include "app/setting.hpp"
#include "store/state.hpp"

namespace hone::app {
namespace {

struct CleanOptions {
  std::string older_than;
  bool all = false, pretend = false;
};

std::string size_text(Bytes size) {
  const auto count = static_cast<double>(size.count);
  if (count >= 1048576) return fmt::format("{:.1f} MiB", count / 1048576);
  return count >= 1024 ? fmt::format("{:.1f} KiB", count / 1024) : fmt::format("{} bytes", size.count);
}

Result<Answer> show_state(const std::string& folder) {
  const auto groups = store::state_in(folder);
  if (!groups) return fail(groups.error());
  Answer answer;
  answer.data = {{"folder", folder}, {"groups", nlohmann::json::array()}};
  answer.text = folder + "\n";
  Bytes all{0};
  for (const auto& group : *groups) {
    answer.text += fmt::format("  {:<14} {:>5} files  {:>12}\n", group.name, group.files, size_text(group.size));
    answer.data["groups"].push_back({{"name", group.name}, {"files", group.files}, {"bytes", group.size.count}});
    all = all + group.size;
  }
  answer.data["bytes"] = all.count;
  answer.text += fmt::format("  {} in all\n  next: hone clean --older-than 30d, or hone clean --all\n", size_text(all));
  return answer;
}

Result<Answer> clean(const CleanOptions& options) {
  const auto folder = state_folder();
  if (!folder) return fail(folder.error());
  if (!options.all && options.older_than.empty()) return show_state(*folder);
  store::CleanWish wish;
  wish.all = options.all;
  wish.pretend = options.pretend;
  if (!options.older_than.empty()) {
    const auto age = store::parse_age(options.older_than);
    if (!age) return fail(age.error());
    wish.older_than = *age;
  }
  const auto done = store::clean_state(*folder, wish);
  if (!done) return fail(done.error());
  Answer answer;
  for (const auto& name : done->removed) answer.text += "  " + name + "\n";
  answer.text += fmt::format("{} {}\n", options.pretend ? "would free" : "freed", size_text(done->size));
  answer.data = {
      {"folder", *folder}, {"removed", done->removed}, {"bytes", done->size.count}, {"dry_run", options.pretend}};
  return answer;
}

}  // namespace

Status keep_state_small() {
  const auto folder = state_folder();
  if (!folder) return fail(folder.error());
  store::CleanWish wish;
  wish.until_below = mebibytes(1024);
  if (const char* text = std::getenv("HONE_STATE_LIMIT"); text != nullptr && *text != '\0') {
    const auto limit = store::parse_size(text);
    if (!limit) return fail(Error(limit.error()).context("HONE_STATE_LIMIT"));
    wish.until_below = *limit;
  }
  const auto done = store::clean_state(*folder, wish);
  return done ? Status() : fail(done.error());
}

void add_clean(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("clean", "Shows what is kept between runs, and removes it");
  auto options = std::make_shared<CleanOptions>();
  command->add_option("--older-than", options->older_than, "Remove what was not written for so long: 30d, 12h, 45m");
  command->add_flag("--all", options->all, "Remove everything, the patterns too");
  command->add_flag("--dry-run", options->pretend, "Only say what would be removed");
  choose(command, chosen, [options] { return clean(*options); });
}

}  // namespace hone::app
