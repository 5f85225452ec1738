#include "agents/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/c_tokens.hpp"

namespace hone::agents {
namespace {

constexpr std::size_t largest = std::size_t{64} << 10U;

/// What else a preprocessor can be told reads files or speaks to the compiler; how a directive can be hidden
/// (trigraphs, digraphs, a continued line) is refused with it.
std::optional<std::string> fault_in_directives(const std::string& text) {
  for (const auto* hidden : {"?"
                             "?=",
                             "%:", "_Pragma", "__has_include", "__has_embed", "asm(", "asm (", "__asm"})
    if (text.find(hidden) != std::string::npos) return fmt::format("the declarations may not have `{}`", hidden);
  for (const auto& line : split(text, '\n')) {
    auto rest = trim(line);
    if (rest.ends_with('\\')) return "the declarations may not continue a line with a backslash";
    const auto hash = rest.find('#');
    if (hash == std::string_view::npos) continue;
    if (rest.substr(0, hash).find_first_not_of(" \t*/") == std::string_view::npos) rest.remove_prefix(hash + 1);
    const auto word = std::string(trim(rest)).substr(0, trim(rest).find_first_of(" \t("));
    constexpr std::array allowed = {"define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif"};
    if (std::ranges::find(allowed, word) == allowed.end())
      return fmt::format("the declarations may not have the line `{}`", one_line(trim(line), 80));
  }
  return std::nullopt;
}

std::vector<CToken> words_of(std::string_view text) {
  auto out = c_tokens(text);
  std::erase_if(out, [](const CToken& token) {
    return token.kind == CToken::Kind::Space || token.kind == CToken::Kind::Comment ||
           token.kind == CToken::Kind::Newline;
  });
  return out;
}

/// Names that macros of the text get or lose, and names of functions it declares.
std::set<std::string> names_given_in(const std::string& text) {
  std::set<std::string> out;
  const auto words = words_of(text);
  int depth = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].text == "{") ++depth;
    if (words[i].text == "}") --depth;
    if (words[i].kind != CToken::Kind::Identifier) continue;
    const bool directive =
        i >= 2 && words[i - 2].text == "#" && (words[i - 1].text == "define" || words[i - 1].text == "undef");
    const bool word_of_c = words[i].text == "__attribute__" || words[i].text == "sizeof";
    const bool function = depth <= 0 && i + 1 < words.size() && words[i + 1].text == "(" && !word_of_c;
    if (directive || function) out.insert(std::string(words[i].text));
  }
  return out;
}

/// Names that the text uses and that somebody declares: whatever was not guessed by its use alone.
std::set<std::string> names_known_in(const Extraction& extraction) {
  std::set<std::string> out;
  for (const auto& word : words_of(extraction.source))
    if (word.kind == CToken::Kind::Identifier) out.insert(std::string(word.text));
  for (const auto& define : extraction.defines)
    if (define.provenance.kind == Provenance::Kind::Guessed) out.erase(define.name);
  return out;
}

}  // namespace

std::optional<std::string> fault_in_declarations(const Completion& proposed, const Extraction& extraction) {
  if (proposed.stubs.size() > largest) return "the declarations are longer than 64 KiB";
  if (auto fault = fault_in_directives(proposed.stubs)) return fault;
  auto given = names_given_in(proposed.stubs);
  for (const auto& [name, value] : proposed.defines) given.insert(name);
  const auto known = names_known_in(extraction);
  for (const auto& name : given)
    if (known.contains(name))
      return fmt::format("`{}` means something already: only what nobody declares can be given", one_line(name, 80));
  return std::nullopt;
}

}  // namespace hone::agents
