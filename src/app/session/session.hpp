#pragma once
// What `hone serve`, `hone mcp` and `hone call` hold open for an agent: a folder that its paths stay in, the MEPs it
// works on, and what the person who started it allows.

#include <CLI/CLI.hpp>
#include <list>
#include <memory>
#include <string>

#include "app/calls/call.hpp"
#include "app/session/confined_path.hpp"
#include "app/session/warm_mep.hpp"

namespace hone::app {

struct SessionOptions {
  std::string workspace;    // paths of requests stay in it
  std::string mep;          // in use from the start; may be empty
  std::string application;  // that MEP's kernel belongs to; may be empty
  std::string validate;     // the command that `apply` may run
  bool commands = false;    // requests may name a command of their own
  std::string agent;        // who asks, where the request does not say
  std::uint64_t seed = 0;   // 0: drawn at the start, so that nobody knows the sizes that will be drawn
  std::string check_command;
  DeviceChoice device;

  void add_options(CLI::App& command);
};

class Session {
 public:
  /// Opens the MEP of the options, when there is one: a broken one is said at the start.
  static Result<std::unique_ptr<Session>> open(SessionOptions options);
  const SessionOptions& options() const { return options_; }
  const Workspace& workspace() const { return workspace_; }
  const WarmWishes& wishes() const { return wishes_; }
  Console& console() { return console_; }

  /// The MEP that a request names, or the one in use; opened when it is not yet. E-REQUEST when there is none.
  Result<WarmMep*> mep_of(const CallRequest& request);
  /// Opens it anew, and uses it from now on.
  Result<WarmMep*> use(const std::string& folder, const std::string& application);
  /// An application's folder: of the workspace; `otherwise`, the one given at the start or the workspace itself when
  /// the request names none.
  Result<std::string> application_in(const CallRequest& request, const std::string& otherwise = {}) const;

 private:
  Session(SessionOptions options, Workspace workspace);
  SessionOptions options_;
  Workspace workspace_;
  WarmWishes wishes_;
  Console console_;
  std::list<std::unique_ptr<WarmMep>> warm_;  // the one used last comes first
};

}  // namespace hone::app
