#pragma once
// The only place that prints. Every command ends in an Answer: what to say to people, the same as data, and the exit
// code that others script against.

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.hpp"

namespace hone::app {

enum class ExitCode { Yes = 0, No = 1, Misuse = 2 };

struct Answer {
  ExitCode code = ExitCode::Yes;
  std::string text;     // for people; ends with a newline or is empty
  nlohmann::json data;  // for --json
};

/// A command's work, run once the command line was understood.
using Command = std::function<Result<Answer>()>;

/// Runs it, prints its answer (or its error) and returns the exit code.
int finish(const Command& command, bool json);

/// A line on stderr, for progress and warnings; overwritten in place on a terminal when `transient`. May be used from
/// several threads: a model that is waited for beside the run tells what it wants.
class Console {
 public:
  explicit Console(bool quiet);
  void note(const std::string& line);
  /// `line` is made for the width of the terminal; not called when there is none.
  void progress(const std::function<std::string(std::size_t width)>& line);
  void clear_progress();

  /// To be read also where only data are wanted: somebody is waited for.
  void must_be_read(const std::string& line);

 private:
  void clear();
  std::mutex mutex_;
  bool quiet_, terminal_, shown_ = false;
};

}  // namespace hone::app
