#include "mep/dynamic_shared.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "core/c_tokens.hpp"

namespace hone::mep {
namespace {

std::vector<std::string> words_of(const std::string& source) {
  std::vector<std::string> out;
  for (const auto& token : c_tokens(source)) {
    if (token.kind == CToken::Kind::Punctuation)
      for (const char c : token.text) out.emplace_back(1, c);
    if (token.kind == CToken::Kind::Identifier || token.kind == CToken::Kind::Number) out.emplace_back(token.text);
  }
  return out;
}

/// Behind the bracket that closes the one at `at`.
std::size_t behind(const std::vector<std::string>& words, std::size_t at, std::string_view open,
                   std::string_view close) {
  int depth = 0;
  for (; at < words.size(); ++at) {
    depth += words[at] == open ? 1 : words[at] == close ? -1 : 0;
    if (words[at] == close && depth <= 0) return at + 1;
  }
  return at;
}

struct Declared {
  std::vector<std::string> type;
  std::string name;
};

/// `extern __shared__ __align__(16) float tile[]` from `__shared__` on, or `HIP_DYNAMIC_SHARED(float, tile)`.
std::optional<Declared> declared_at(const std::vector<std::string>& words, std::size_t at) {
  Declared out;
  const bool macro = words[at] == "HIP_DYNAMIC_SHARED";
  const bool plain = words[at] == "__shared__" && at > 0 && (words[at - 1] == "extern" || words[at + 1] == "extern");
  if (!macro && !plain) return std::nullopt;
  for (auto i = at + (macro ? 2 : 1); i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "[" || word == ")" || word == ";") break;
    if (word == "__align__" || word == "alignas" || word == "__attribute__") {
      i = behind(words, i + 1, "(", ")") - 1;
    } else if (starts_name(word.front()) && word != "extern" && word != "volatile") {
      out.type.push_back(word);
    }
  }
  if (out.type.size() < 2) return std::nullopt;
  out.name = out.type.back();
  out.type.pop_back();
  return out;
}

/// Where the body of another kernel than this one begins, at its name.
bool begins_other(const std::vector<std::string>& words, std::size_t at, const std::string& kernel) {
  if (words[at] != "__global__") return false;
  for (auto i = at + 1; i < words.size() && words[i] != "{" && words[i] != ";"; ++i)
    if (words[i] == kernel) return false;
  return true;
}

}  // namespace

std::optional<ArgumentSpec> dynamic_shared(const std::string& source, const std::string& kernel,
                                           const Structs& structs) {
  const auto words = words_of(source);
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    if (begins_other(words, at, kernel)) {
      while (at + 1 < words.size() && words[at] != "{" && words[at] != ";") ++at;
      if (words[at] == "{") at = behind(words, at, "{", "}") - 1;
      continue;
    }
    const auto declared = declared_at(words, at);
    if (!declared) continue;
    ArgumentSpec out;
    out.kind = ArgumentSpec::Kind::Local;
    out.name = declared->name;
    out.access = Access::ReadWrite;
    // A type that is not described here is counted in words.
    out.type = structs.element_of(join(declared->type, " ")).value_or("uint");
    return out;
  }
  return std::nullopt;
}

}  // namespace hone::mep
