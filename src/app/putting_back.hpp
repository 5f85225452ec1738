#pragma once
// The last step, shared by optimize and apply: the winner as a diff, validated by the user's command, written on
// request.

#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/origin.hpp"
#include "core/patch_limits.hpp"
#include "core/template.hpp"
#include "patch/patch.hpp"
#include "patch/validate.hpp"

namespace hone::app {

struct PutBackRequest {
  std::string application;  // the folder
  std::string patch_file;   // empty: nowhere
  std::string validate;     // empty: no command
  bool write = false;
  bool keep_launch = false;  // the kernel's text alone may change
  bool judged = true;        // the winner passed on the MEP's sizes: the patch says so
};

struct PutBack {
  patch::Patch patch;
  std::optional<patch::Validation> validation;
  bool written = false;
};

/// What may change in the application as it is now, over its whole tree.
Result<PatchLimits> patch_limits(const Mep& mep, const Origin& origin, const std::string& application,
                                 bool keep_launch = false);
/// In words, for people: which launches must stay, and why. Empty when all may change.
std::vector<std::string> in_words(const PatchLimits& limits);

/// Nothing is written to the application unless asked and validated.
Result<PutBack> put_back(const Mep& mep, const Variant& winner, const Origin& origin, const PutBackRequest& request);

}  // namespace hone::app
