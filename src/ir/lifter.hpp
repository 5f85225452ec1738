#pragma once
// The seam through which text becomes a tree. source/ implements it with Clang; whoever needs a tree of a text (a rule,
// a model's answer) is given a Lifter and never sees Clang.

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::ir {

struct LiftOptions {
  std::map<std::string, std::string> defines;  ///< -DNAME=VALUE; the tree holds for these
  std::vector<std::string> include_dirs;
  std::string file_name;  ///< for messages and for includes beside it; may be empty
};

class Lifter {
 public:
  virtual ~Lifter() = default;
  /// Fails only where there is nothing to parse with; code that is not understood becomes Verbatim.
  virtual Result<Unit> lift(const std::string& text, Dialect dialect, const LiftOptions& options = {}) const = 0;
};

}  // namespace hone::ir
