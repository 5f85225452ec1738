#pragma once
// Does an extracted text build alone, and which names does it miss? Clang answers, in a process of its own.

#include <map>
#include <string>
#include <vector>

#include "core/language.hpp"

namespace hone::source {

struct MissingName {
  enum class As { Value, Type, Function };
  std::string name;
  As as = As::Value;
};

struct BuildCheck {
  std::vector<MissingName> missing;  // each once, in order
  std::vector<std::string> others;   // errors that name nothing missing: "line 7: ..."
  std::string problem;               // why Clang gave no answer
};

BuildCheck check_build(const std::string& text, Language language, const std::map<std::string, std::string>& defines);

}  // namespace hone::source
