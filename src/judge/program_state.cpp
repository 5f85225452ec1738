#include "judge/program_state.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.hpp"
#include "core/c_tokens.hpp"

namespace hone::judge {
namespace {

using Tokens = std::vector<std::string_view>;
using Macros = std::map<std::string_view, Tokens, std::less<>>;

bool has(const Tokens& tokens, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(tokens,
                             [&](std::string_view token) { return std::ranges::find(words, token) != words.end(); });
}

/// Code without directives; what a macro stands for is kept beside it.
struct Code {
  Tokens tokens;
  Macros macros;
};

void keep_macro(const Tokens& directive, Macros& macros) {
  if (directive.size() < 3 || directive[1] != "define") return;
  macros[directive[2]] = Tokens(directive.begin() + 3, directive.end());
}

Code code_of(std::string_view source) {
  Code out;
  Tokens directive;
  bool line_start = true;
  for (const auto& token : c_tokens(source)) {
    if (token.kind == CToken::Kind::Newline) {
      keep_macro(directive, out.macros);
      directive.clear();
      line_start = true;
      continue;
    }
    if (token.kind == CToken::Kind::Space || token.kind == CToken::Kind::Comment) continue;
    if ((line_start && token.text == "#") || !directive.empty())
      directive.push_back(token.text);
    else
      out.tokens.push_back(token.text);
    line_start = false;
  }
  keep_macro(directive, out.macros);
  return out;
}

/// Macros as their text, parameters and all: more is taken for a variable than is one, never less.
Tokens expanded(const Tokens& tokens, const Macros& macros, int depth = 0) {
  constexpr int kDeepest = 8;
  Tokens out;
  for (const auto token : tokens) {
    const auto macro = macros.find(token);
    if (macro == macros.end() || depth == kDeepest) {
      out.push_back(token);
      continue;
    }
    const auto body = expanded(macro->second, macros, depth + 1);
    out.insert(out.end(), body.begin(), body.end());
  }
  return out;
}

bool is_constant(const Tokens& declaration) {
  return has(declaration, {"constant", "__constant", "__constant__", "constexpr"}) ||
         (has(declaration, {"const"}) && !has(declaration, {"*"}));
}

/// A parenthesis before what it is set to.
bool is_function(const Tokens& declaration) {
  const auto set = std::ranges::find(declaration, "=");
  return std::find(declaration.begin(), set, "(") != set;
}

/// The name before what it is set to, its extent or the end.
std::string declared_name(const Tokens& declaration) {
  std::string name;
  for (const auto token : declaration) {
    if (token == "=" || token == "[") break;
    if (is_identifier(token)) name = token;
  }
  return name;
}

class Reader {
 public:
  explicit Reader(Tokens tokens) : tokens_(std::move(tokens)) {}

  std::set<std::string, std::less<>> run() {
    while (at_ < tokens_.size()) outside();
    return std::move(found_);
  }

 private:
  /// One declaration at the outermost level.
  void outside() {
    Tokens declaration;
    for (; at_ < tokens_.size(); ++at_) {
      const auto token = tokens_[at_];
      if (token == "{" && is_scope(declaration)) {
        ++at_;
        return;
      }
      if (token == "{") {
        const bool function = has(declaration, {"("});
        inside();
        if (function) return;
        continue;
      }
      if (token == "}" || token == ";") {
        ++at_;
        if (token == ";") look_at(declaration);
        return;
      }
      declaration.push_back(token);
    }
    // What has no end is no declaration: the compiler says so.
  }

  static bool is_scope(const Tokens& declaration) {
    return !declaration.empty() &&
           (declaration.front() == "namespace" || (declaration.front() == "extern" && !has(declaration, {"("})));
  }

  /// To the closing brace, with an eye on what is static.
  void inside() {
    int depth = 0;
    for (; at_ < tokens_.size(); ++at_) {
      if (tokens_[at_] == "{") ++depth;
      if (tokens_[at_] == "}" && --depth == 0) return;
      if (tokens_[at_] != "static") continue;
      const auto end = std::find(tokens_.begin() + static_cast<std::ptrdiff_t>(at_), tokens_.end(), ";");
      const Tokens declaration(tokens_.begin() + static_cast<std::ptrdiff_t>(at_), end);
      if (!is_constant(declaration) && !is_function(declaration)) found_.insert(declared_name(declaration));
    }
  }

  void look_at(const Tokens& declaration) {
    const auto words = std::ranges::count_if(declaration, [](std::string_view token) { return is_identifier(token); });
    const bool other = has(declaration, {"typedef", "using", "sampler_t", "__shared__", "struct", "union", "enum"});
    if (words < 2 || is_function(declaration) || is_constant(declaration)) return;
    // `struct S { ... }` and `enum { ... }` declare a type; with a space of memory before them they are a variable.
    if (other && !has(declaration, {"global", "__global", "__device__", "__managed__"})) return;
    found_.insert(declared_name(declaration));
  }

  Tokens tokens_;
  std::size_t at_ = 0;
  std::set<std::string, std::less<>> found_;
};

}  // namespace

std::set<std::string, std::less<>> program_state(std::string_view source) {
  const auto code = code_of(source);
  return Reader(expanded(code.tokens, code.macros)).run();
}

}  // namespace hone::judge
