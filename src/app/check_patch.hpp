#pragma once
// hone check --patch: a shipped patch is tried again on the tree as it is today.

#include <string>

#include "app/console.hpp"

namespace hone::app {

struct PatchCheck {
  std::string patch, application;
  std::string validate;  // empty: what the patch itself says it was validated with
};

/// Does it still apply; does the command still pass without and with it; does the application run what it changes?
Result<Answer> check_patch(const PatchCheck& request);

}  // namespace hone::app
