#pragma once
// The last step, shared by optimize and apply: the winner as a diff, validated by the user's command, written on
// request.

#include <functional>
#include <optional>
#include <string>

#include "core/mep.hpp"
#include "core/origin.hpp"
#include "core/template.hpp"
#include "patch/patch.hpp"
#include "patch/validate.hpp"

namespace hone::app {

struct PutBackRequest {
  std::string application;  // the folder
  std::string patch_file;   // empty: nowhere
  std::string validate;     // empty: no command
  bool write = false;
};

struct PutBack {
  patch::Patch patch;
  std::optional<patch::Validation> validation;
  bool written = false;
};

/// Whether a variant could go back into the application as it is now: what is not even possible need not be measured.
Result<std::function<Status(const Variant&)>> can_put_back(const Mep& mep, const Origin& origin,
                                                           const std::string& application);

/// Nothing is written to the application unless asked and validated.
Result<PutBack> put_back(const Mep& mep, const Variant& winner, const Origin& origin, const PutBackRequest& request);

}  // namespace hone::app
