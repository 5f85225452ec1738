#pragma once
// --check-command: a shell command that decides whether outputs are right.

#include "judge/own_check.hpp"

namespace hone::app {

/// The command finds, in the folder that is its last argument, `expected/NAME` and `got/NAME`, the
/// raw bytes of each output, and `scalars`, a line NAME=VALUE of each size; exit 0 says that they are right.
class CheckCommand final : public judge::OwnCheck {
 public:
  explicit CheckCommand(std::string command) : command_(std::move(command)) {}
  Result<std::optional<std::string>> refusal(const Outputs& expected, const Outputs& got,
                                             const std::map<std::string, Value>& scalars) override;

 private:
  std::string command_;
};

}  // namespace hone::app
