#include "judge/gate.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "core/c_tokens.hpp"
#include "judge/gate_lists.hpp"
#include "judge/program_state.hpp"
#include "judge/prototypes.hpp"

namespace hone::judge {
namespace {

using Words = std::set<std::string, std::less<>>;

template <class List>
bool listed(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Continued lines joined and digraphs spelled out, as the preprocessor sees them.
std::string spliced(const std::string& source) {
  auto text = replace_all(replace_all(source, "\\\r\n", ""), "\\\n", "");
  text = replace_all(replace_all(std::move(text), "\?\?/\n", ""), "\?\?=", "#");
  return replace_all(replace_all(std::move(text), "%:%:", "##"), "%:", "#");
}

/// A comment is one space, wherever it stands; without it directives cannot hide behind one.
std::string without_comments(const std::string& text) {
  std::string out;
  for (const auto& token : c_tokens(text)) out += token.kind == CToken::Kind::Comment ? " " : std::string(token.text);
  return out;
}

/// What a source uses of the things the gate looks at; K(0)'s own set is allowed to the candidate.
struct Uses {
  Words words, includes, pragmas, attributes, prototypes, state;
  bool pastes = false, literal_pointers = false;
};

std::string attribute_name(std::string_view word) {
  while (word.starts_with('_')) word.remove_prefix(1);
  while (word.ends_with('_')) word.remove_suffix(1);
  return std::string(word);
}

/// Names directly inside attribute(( ... )), not their arguments.
void collect_attributes(const std::vector<std::string_view>& tokens, std::size_t at, Words& attributes) {
  int depth = 0;
  for (auto i = at + 1; i < tokens.size(); ++i) {
    if (tokens[i] == "(") ++depth;
    if (tokens[i] == ")" && --depth == 0) return;
    if (depth == 2 && (is_identifier(tokens[i]))) attributes.insert(attribute_name(tokens[i]));
  }
}

void collect_directive(std::string_view line, Uses& uses) {
  auto rest = trim(line.substr(1));
  const auto end = std::ranges::find_if_not(rest, [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
  const std::string_view name(rest.begin(), end);
  const auto argument = trim(std::string_view(end, rest.end()));
  if (name == "include" || name == "include_next" || name == "import" || name == "embed")
    uses.includes.insert(std::string(argument));
  if (name == "pragma") uses.pragmas.insert(std::string(argument));
  if (name == "line" || name == "ident" || name == "sccs") uses.pragmas.insert(std::string(name));
}

/// A pointer made from a number points nowhere a kernel should be.
bool is_literal_pointer(const std::vector<std::string_view>& tokens, std::size_t star) {
  auto i = star + 1;
  while (i < tokens.size() && (tokens[i] == "const" || tokens[i] == "restrict" || tokens[i] == "volatile")) ++i;
  if (i >= tokens.size() || tokens[i] != ")") return false;
  for (++i; i < tokens.size() && tokens[i] == "("; ++i) {
  }
  return i < tokens.size() && std::isdigit(static_cast<unsigned char>(tokens[i][0])) != 0 && tokens[i] != "0";
}

std::string unquoted(std::string_view include) {
  if (include.size() < 2) return std::string(include);
  return std::string(include.substr(1, include.size() - 2));
}

/// Shared memory whose size the launch gives, and names that are not mangled.
bool is_harmless_extern(const std::vector<std::string_view>& tokens, std::size_t at) {
  return at + 1 < tokens.size() && (tokens[at + 1] == "\"C\"" || tokens[at + 1] == "__shared__");
}

Uses uses_of(const std::string& source, Language language, const std::vector<std::string>& options) {
  Uses uses;
  const auto text = without_comments(spliced(source));
  const auto all = c_tokens(text);
  std::vector<std::string_view> tokens;
  bool line_start = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& token = all[i];
    if (token.kind == CToken::Kind::Newline) line_start = true;
    if (token.kind == CToken::Kind::Space || token.kind == CToken::Kind::Comment || token.kind == CToken::Kind::Newline)
      continue;
    if (line_start && token.text.starts_with('#')) {
      const auto from = static_cast<std::size_t>(token.text.data() - text.data());
      collect_directive(std::string_view(text).substr(from, text.find('\n', from) - from), uses);
    }
    line_start = false;
    tokens.push_back(token.text);
    if (token.kind == CToken::Kind::Identifier && token.text != "extern") uses.words.insert(std::string(token.text));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == "extern" && (language == Language::OpenCL || !is_harmless_extern(tokens, i)))
      uses.words.insert("extern");
    if (tokens[i] == "__attribute__" || tokens[i] == "__attribute") collect_attributes(tokens, i, uses.attributes);
    if (tokens[i] == "_Pragma" || tokens[i] == "__pragma") {
      const auto text_of = i + 2 < tokens.size() ? tokens[i + 2] : std::string_view();
      const bool quoted = text_of.size() >= 2 && text_of.front() == '"';
      uses.pragmas.insert(quoted ? unquoted(text_of) : std::string("_Pragma"));
    }
    if (tokens[i] == "[" && i + 1 < tokens.size() && tokens[i + 1] == "[") uses.attributes.insert("[[");
    if (tokens[i] == "##" || (tokens[i] == "#" && i + 1 < tokens.size() && tokens[i + 1] == "#")) uses.pastes = true;
    if (tokens[i] == "*" && is_literal_pointer(tokens, i)) uses.literal_pointers = true;
  }
  for (auto& name : undefined_prototypes(text, options)) uses.prototypes.insert(std::move(name));
  uses.state = program_state(text);
  return uses;
}

bool pragma_allowed(std::string_view pragma) {
  const auto words = split(pragma, ' ');
  if (words.empty()) return true;
  const auto first = words[0].substr(0, words[0].find('('));
  if (first == "clang" || first == "GCC")
    return words.size() > 1 && listed(kCompilerPragmas, words[1].substr(0, words[1].find('(')));
  return listed(kPragmas, first);
}

/// A forbidden word can be pasted together from two that are not.
std::optional<std::string> pasted_word(const Words& words) {
  for (const auto forbidden : kWords) {
    for (std::size_t cut = 1; cut < forbidden.size(); ++cut) {
      if (words.contains(forbidden.substr(0, cut)) && words.contains(forbidden.substr(cut)))
        return std::string(forbidden);
    }
  }
  return std::nullopt;
}

bool option_allowed(const std::string& option, const std::vector<std::string>& original) {
  if (std::ranges::find(original, option) != original.end() || listed(kOptions, option)) return true;
  const auto plain = [](std::string_view value) {
    return std::ranges::all_of(value, [](unsigned char c) {
      return std::isalnum(c) != 0 || std::string_view("_=.-+*()").find(static_cast<char>(c)) != std::string_view::npos;
    });
  };
  if (option.starts_with("-D") && option.size() > 2) return plain(std::string_view(option).substr(2));
  if (option.starts_with("-std=c++")) return plain(std::string_view(option).substr(8));
  return option.starts_with("-cl-std=CL") && plain(std::string_view(option).substr(8));
}

}  // namespace

std::optional<std::string> gate(const Variant& candidate, const Variant& original) {
  if (candidate.source.find('\0') != std::string::npos) return "a NUL byte in the source";
  const auto uses = uses_of(candidate.source, candidate.language, candidate.options);
  const auto own = uses_of(original.source, original.language, original.options);
  for (const auto& include : uses.includes) {
    if (!own.includes.contains(include) && !listed(kIncludes, unquoted(include))) return "#include " + include;
  }
  for (const auto& pragma : uses.pragmas) {
    if (!own.pragmas.contains(pragma) && !pragma_allowed(pragma)) return "#pragma " + pragma;
  }
  for (const auto& attribute : uses.attributes) {
    if (!own.attributes.contains(attribute) && !listed(kAttributes, attribute)) return "attribute " + attribute;
  }
  for (const auto word : kWords) {
    if (uses.words.contains(word) && !own.words.contains(word)) return "the word " + std::string(word);
  }
  for (const auto word : kDeviceWords)
    if (candidate.language != Language::OpenCL && uses.words.contains(word) && !own.words.contains(word))
      return "the word " + std::string(word);
  if (uses.words.contains("printf") && !own.words.contains("printf")) return "printf, which K(0) does not use";
  if (uses.pastes && !own.pastes) {
    if (const auto word = pasted_word(uses.words)) return "the word " + *word + ", pasted together";
  }
  if (uses.literal_pointers && !own.literal_pointers) return "a pointer made from a number";
  for (const auto& name : uses.prototypes) {
    if (!own.prototypes.contains(name)) return "function " + name + ", which is declared but not defined";
  }
  for (const auto& name : uses.state) {
    if (!own.state.contains(name)) return "variable " + name + ", which outlives a launch";
  }
  for (const auto& option : candidate.options) {
    if (!option_allowed(option, original.options)) return "build option " + option;
  }
  return std::nullopt;
}

}  // namespace hone::judge
