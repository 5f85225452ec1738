#include "app/session/session.hpp"

#include <algorithm>
#include <random>

namespace hone::app {
namespace {

/// Each has processes and buffers of its own.
constexpr std::size_t kMostWarm = 3;

}  // namespace

void SessionOptions::add_options(CLI::App& command) {
  command.add_option("--to", application,
                     "The application the MEP's kernel belongs to: candidates are judged as they will stand in it");
  command.add_option("--validate", validate, "A shell command that `apply` runs without and with the patch");
  command.add_flag("--allow-commands", commands, "Let requests name a validation command of their own");
  command.add_option("--agent", agent, "Who asks, for the log, where the requests do not say");
  command.add_option("--seed", seed, "Seed of everything random; drawn when absent");
  command.add_option("--check-command", check_command,
                     "A shell command that decides whether outputs are right, instead of their types' rule");
  device.add_options(command);
}

Session::Session(SessionOptions options, Workspace workspace)
    : options_(std::move(options)), workspace_(std::move(workspace)), console_(true) {
  wishes_ = {options_.device, options_.seed, options_.check_command};
  if (wishes_.seed == 0) wishes_.seed = 2 + std::random_device{}() % 1'000'000'000U;
}

Result<std::unique_ptr<Session>> Session::open(SessionOptions options) {
  auto workspace = Workspace::at(options.workspace);
  if (!workspace) return fail(std::move(workspace).error());
  std::unique_ptr<Session> session(new Session(std::move(options), std::move(*workspace)));
  const auto& given = session->options_;
  if (given.mep.empty()) return session;
  const auto folder = Workspace::at(given.mep);
  if (!folder) return fail(folder.error());
  if (auto opened = session->use(folder->root().string(), given.application); !opened)
    return fail(std::move(opened).error());
  return session;
}

Result<WarmMep*> Session::mep_of(const CallRequest& request) {
  if (!request.has("mep")) {
    if (warm_.empty()) return fail("E-REQUEST", "no MEP is in use", "extract a kernel first, or name one with `mep`");
    return warm_.front().get();
  }
  const auto folder = workspace_.inside(request.text("mep"));
  if (!folder) return fail(folder.error());
  const auto known = std::ranges::find(warm_, folder->string(), [](const auto& one) { return one->folder(); });
  if (known == warm_.end()) {
    if (auto done = workspace_.all_inside(*folder); !done) return fail(std::move(done).error());
    return use(folder->string(), "");
  }
  warm_.splice(warm_.begin(), warm_, known);
  return warm_.front().get();
}

Result<WarmMep*> Session::use(const std::string& folder, const std::string& application) {
  std::erase_if(warm_, [&](const auto& one) { return one->folder() == folder; });
  auto opened = WarmMep::open(folder, application, wishes_);
  if (!opened) return fail(std::move(opened).error());
  warm_.push_front(std::move(*opened));
  if (warm_.size() > kMostWarm) warm_.pop_back();
  return warm_.front().get();
}

Result<std::string> Session::application_in(const CallRequest& request, const std::string& otherwise) const {
  for (const auto& known : {otherwise, options_.application})
    if (!request.has("application") && !known.empty()) return known;
  const auto path = workspace_.inside(request.text("application"));
  if (!path) return fail(path.error());
  if (auto done = workspace_.all_inside(*path); !done) return fail(std::move(done).error());
  return path->string();
}

}  // namespace hone::app
