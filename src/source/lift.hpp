#pragma once
// Text to tree with Clang: the one implementation of ir::Lifter.

#include "ir/lifter.hpp"

namespace hone::source {

class ClangLifter : public ir::Lifter {
 public:
  Result<ir::Unit> lift(const std::string& text, ir::Dialect dialect,
                        const ir::LiftOptions& options = {}) const override;
};

}  // namespace hone::source
