#pragma once
// Structs of a kernel as the manifest describes them: their fields, from the declarations in the kernel's text.
// Typedefs and macros of the text are followed; what has pointers, bit-fields or unions in it is not described.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "ir/unit.hpp"

namespace hone::mep {

class Structs {
 public:
  /// `defines`: macros given from outside.
  Structs(const ir::Unit& unit, const std::map<std::string, std::string>& defines);

  /// A struct by its tag ("struct particle", "particle") or typedef, with those inside of it before it. E-COMPLETE says
  /// what of it cannot be described.
  Result<std::vector<StructSpec>> find(const std::string& name) const;
  /// What the manifest calls a built-in type: `uint` for `unsigned int`, or for a macro or typedef of it.
  std::optional<std::string> element_of(const std::string& type) const;

 private:
  struct Words {
    std::vector<std::string> words;
  };
  void learn(const std::string& declaration);
  Result<std::string> describe(const std::string& type, std::vector<StructSpec>& out, int depth) const;
  Result<StructSpec> parse(const std::string& name, const Words& body, std::vector<StructSpec>& out, int depth) const;
  std::string resolved(std::vector<std::string> words) const;
  Result<std::size_t> count_of(const std::vector<std::string>& words, int depth) const;

  struct Body {
    Words words;
    bool packed = false, is_union = false;
    std::size_t alignment = 0;
  };
  std::map<std::string, Body> bodies_;            // by tag and by typedef
  std::map<std::string, std::string> aliases_;    // typedef -> what it stands for
  std::map<std::string, std::string> constants_;  // macros and enumerators
};

}  // namespace hone::mep
