#include "judge/prototypes.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "core/c_tokens.hpp"

namespace hone::judge {
namespace {

/// Tokens that matter; a directive ends where its line ends, so that a macro's body is looked at like any code.
std::vector<std::string_view> significant(std::string_view source) {
  std::vector<std::string_view> tokens;
  bool directive = false;
  bool line_start = true;
  for (const auto& token : c_tokens(source)) {
    if (token.kind == CToken::Kind::Newline) {
      if (directive) tokens.emplace_back(";");
      directive = false;
      line_start = true;
      continue;
    }
    if (token.kind == CToken::Kind::Space || token.kind == CToken::Kind::Comment) continue;
    if (line_start && token.text == "#") directive = true;
    line_start = false;
    tokens.push_back(token.text);
  }
  tokens.emplace_back(";");
  return tokens;
}

/// The token after the parenthesis that closes the one at `open`.
std::size_t after_parenthesis(const std::vector<std::string_view>& tokens, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < tokens.size(); ++i) {
    if (tokens[i] == "(") ++depth;
    if (tokens[i] == ")" && --depth == 0) return i + 1;
  }
  return tokens.size();
}

bool starts_statement(std::string_view token) {
  static const std::set<std::string_view> kNotTypes = {
      "return", "else", "do", "case", "goto", "if", "while", "for", "switch", "sizeof", "define", "defined", "elif"};
  return !kNotTypes.contains(token);
}

using Names = std::set<std::string, std::less<>>;

/// What a macro may stand for is not known, so each of them may be a qualifier.
Names macros_in(const std::vector<std::string_view>& tokens, const std::vector<std::string>& options) {
  Names out;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i] == "define") out.insert(std::string(tokens[i + 1]));
  for (const auto& option : options)
    if (option.starts_with("-D")) out.insert(option.substr(2, option.find_first_of("=(", 2) - 2));
  return out;
}

/// May stand between a declaration's star and its name.
bool may_qualify(std::string_view word, const Names& macros) {
  static const Names kQualifiers = {"const", "volatile", "restrict", "global",
                                    "local", "private",  "constant", "generic"};
  return word.starts_with('_') || kQualifiers.contains(word) || macros.contains(word);
}

/// `type name (` with nothing but words and stars since the last statement: a declaration, not a call.
bool declares(const std::vector<std::string_view>& tokens, std::size_t name, const Names& macros) {
  std::size_t words = 0;
  bool value = false;
  for (auto i = name; i-- > 0;) {
    const auto token = tokens[i];
    if (token == "*") {
      // No type has a name behind its star: `f(x) * w * vload2(..)` is a product, whatever stands before it.
      if (value) return false;
      continue;
    }
    if (token == ")") {
      // The end of an attribute, of a macro's parameter list, or of a condition before a call.
      return words > 0;
    }
    // Anything else inside a statement is an operator: `sum += w * vload2(..)` calls, it does not declare.
    if (!is_identifier(token)) return words > 0 && (token == ";" || token == "{" || token == "}");
    if (!starts_statement(token)) return words > (token == "define" ? 1U : 0U);
    value = value || !may_qualify(token, macros);
    ++words;
  }
  return words > 0;
}

}  // namespace

std::vector<std::string> undefined_prototypes(std::string_view source, const std::vector<std::string>& options) {
  const auto tokens = significant(source);
  const auto macros = macros_in(tokens, options);
  std::set<std::string, std::less<>> declared;
  std::set<std::string, std::less<>> defined;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_identifier(tokens[i]) || tokens[i + 1] != "(" || tokens[i] == "__attribute__" ||
        !starts_statement(tokens[i]))
      continue;
    auto after = after_parenthesis(tokens, i + 1);
    while (after + 1 < tokens.size() && tokens[after] == "__attribute__") after = after_parenthesis(tokens, after + 1);
    if (after >= tokens.size()) continue;
    if (tokens[after] == "{" && i > 0) defined.insert(std::string(tokens[i]));
    const bool ends = tokens[after] == ";" || tokens[after] == "," || tokens[after] == "asm";
    if (ends && declares(tokens, i, macros)) declared.insert(std::string(tokens[i]));
  }
  std::vector<std::string> missing;
  std::ranges::set_difference(declared, defined, std::back_inserter(missing));
  return missing;
}

}  // namespace hone::judge
