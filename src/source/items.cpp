#include "source/items.hpp"

#include <algorithm>
#include <cctype>

namespace hone::source::host {
namespace {

std::string directive_word(std::string_view text) {
  auto at = text.find_first_not_of(" \t", 1);
  if (at == std::string_view::npos) return {};
  auto end = at;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return std::string(text.substr(at, end - at));
}
bool opens_condition(std::string_view word) { return word == "if" || word == "ifdef" || word == "ifndef"; }

void add_mentions(const Tokens& tokens, std::size_t first, std::size_t last, Item& item) {
  auto& into = item.mentions;
  for (std::size_t i = first; i <= last; ++i) {
    if (tokens[i].kind == Token::Kind::Word) {
      into.insert(std::string(tokens[i].text));
      if (i < last && tokens[i + 1].is("(")) item.calls.insert(std::string(tokens[i].text));
    }
    if (tokens[i].kind != Token::Kind::Directive) continue;
    for (const auto& word : tokens_of(tokens[i].text.substr(1), false)) {
      if (word.kind == Token::Kind::Word) into.insert(std::string(word.text));
    }
  }
}

class Cutter {
 public:
  Cutter(std::string_view text, const Macros& macros, int depth)
      : text_(text), tokens_(tokens_of(text)), macros_(macros), depth_(depth) {}

  std::vector<Item> cut() {
    for (std::size_t at = 0; at < tokens_.size();) {
      if (tokens_[at].kind == Token::Kind::Directive) {
        at = directive(at);
      } else if (const auto brace = scope_brace(at)) {
        at = open_scope(at, *brace);
      } else if (tokens_[at].is("}")) {
        at = close_scope(at);
      } else {
        at = declaration(at);
      }
    }
    return std::move(out_);
  }

 private:
  std::size_t directive(std::size_t at) {
    const auto& token = tokens_[at];
    Item item;
    item.range = {token.begin, token.end};
    item.directive = directive_word(token.text);
    item.conditions = open_;
    const auto inner = tokens_of(token.text.substr(1), false);  // the words after the hash
    for (const auto& word : inner) {
      if (word.kind == Token::Kind::Word) item.mentions.insert(std::string(word.text));
    }
    if ((item.directive == "define" || item.directive == "undef") && inner.size() > 1) {
      item.kind = Item::Kind::Macro;
      item.declares.emplace_back(inner[1].text);
    } else if (item.directive == "include") {
      item.kind = Item::Kind::Include;
    } else if (item.directive == "if" || item.directive == "ifdef" || item.directive == "ifndef" ||
               item.directive == "endif" || item.directive.starts_with("el")) {
      item.kind = Item::Kind::Conditional;
      const bool continues = item.directive == "endif" || item.directive.starts_with("el");
      if (continues && !open_.empty()) {
        item.group = open_.back();
        item.conditions.pop_back();
      }
      if (item.directive == "endif" && !open_.empty()) open_.pop_back();
    } else {
      item.kind = Item::Kind::Pragma;  // and #line, #error, ...
    }
    const bool opens = opens_condition(item.directive);
    out_.push_back(std::move(item));
    if (opens) open_.push_back(out_.size() - 1);
    return at + 1;
  }

  /// The brace of `namespace x {` or `extern "C" {`.
  std::optional<std::size_t> scope_brace(std::size_t at) const {
    const auto& token = tokens_[at];
    const bool linkage = token.is("extern") && at + 2 < tokens_.size() && tokens_[at + 1].kind == Token::Kind::String &&
                         tokens_[at + 2].is("{");
    if (linkage) return at + 2;
    if (!token.is("namespace") && !(token.is("inline") && at + 1 < tokens_.size() && tokens_[at + 1].is("namespace")))
      return std::nullopt;
    for (std::size_t i = at + 1; i < tokens_.size() && i < at + 12; ++i) {
      if (tokens_[i].is("{")) return i;
      if (tokens_[i].is(";") || tokens_[i].is("=")) return std::nullopt;
    }
    return std::nullopt;
  }
  std::size_t open_scope(std::size_t at, std::size_t brace) {
    Item item;
    item.kind = Item::Kind::Scope;
    item.directive = "scope";
    item.range = {tokens_[at].begin, tokens_[brace].end};
    item.conditions = open_;
    out_.push_back(std::move(item));
    open_.push_back(out_.size() - 1);
    return brace + 1;
  }
  std::size_t close_scope(std::size_t at) {
    Item item;
    item.conditions = open_;
    item.range = {tokens_[at].begin, tokens_[at].end};
    if (!open_.empty() && out_[open_.back()].kind == Item::Kind::Scope) {
      item.kind = Item::Kind::Scope;
      item.directive = "endscope";
      item.group = open_.back();
      item.conditions.pop_back();
      open_.pop_back();
    }
    out_.push_back(std::move(item));
    return at + 1;
  }

  /// A macro's invocation that stands for whole declarations needs no semicolon after it.
  std::optional<std::size_t> invocation_end(std::size_t at) const {
    if (tokens_[at].kind != Token::Kind::Word || at + 1 >= tokens_.size() || !tokens_[at + 1].is("("))
      return std::nullopt;
    const auto found = macros_.find(tokens_[at].text);
    if (found == macros_.end() || !found->second.takes_arguments) return std::nullopt;
    const auto& body = found->second.body;
    const bool whole = body.empty() || body.ends_with("}") || body.ends_with(";") || body.ends_with(")");
    if (!whole || (body.ends_with(")") && body.find('{') == std::string::npos && !makes_invocations(body)))
      return std::nullopt;
    auto end = after_matching(tokens_, at + 1, tokens_.size());
    if (end < tokens_.size() && tokens_[end].is("{")) return std::nullopt;
    if (end < tokens_.size() && tokens_[end].is(";")) ++end;
    return end;
  }
  bool makes_invocations(const std::string& body) const {
    const auto words = tokens_of(body, false);
    return words.size() > 1 && macros_.contains(words[0].text) && words[1].is("(");
  }

  /// Up to a `;` or the end of a function's body; directives inside belong to it as long as brackets are open.
  std::size_t declaration(std::size_t at) {
    Item item;
    item.conditions = open_;
    const std::size_t first = at;
    bool parameters = false;
    bool body = false;
    std::size_t last = at;
    if (const auto end = invocation_end(at)) {
      finish_invocation(item, first, *end - 1);
      return *end;
    }
    while (at < tokens_.size()) {
      const auto& token = tokens_[at];
      if (token.kind == Token::Kind::Directive) {
        auto end = whole_condition(first, at);
        if (!end) end = rest_of_condition(first, at);
        if (!end) break;
        at = *end;
        last = at - 1;
        continue;
      }
      last = at;
      if (token.is(";")) {
        ++at;
        break;
      }
      if (token.is("(") || token.is("[")) {
        parameters = parameters || token.is("(");
        at = after_matching(tokens_, at, tokens_.size());
        last = at - 1;
      } else if (token.is("{")) {
        at = after_matching(tokens_, at, tokens_.size());
        last = at - 1;
        if (parameters && !is_initialiser(first, at)) {
          body = true;
          break;
        }
      } else if (token.is("}")) {
        if (at == first)
          ++at;
        else
          last = at - 1;
        break;
      } else {
        ++at;
      }
    }
    last = std::max(last, first);
    item.range = {tokens_[first].begin, tokens_[last].end};
    add_mentions(tokens_, first, last, item);
    name(item, first, last, parameters, body);
    close_conditions_inside(item, first, last);
    out_.push_back(std::move(item));
    return std::max(at, first + 1);
  }

  /// `#if ... #endif` in the middle of a declaration's head belongs to it.
  std::optional<std::size_t> whole_condition(std::size_t first, std::size_t at) const {
    if (at == first || tokens_[at - 1].is(")") || !opens_condition(directive_word(tokens_[at].text)))
      return std::nullopt;
    int deep = 0;
    for (; at < tokens_.size(); ++at) {
      if (tokens_[at].is(";") && deep == 0) return std::nullopt;
      if (tokens_[at].kind != Token::Kind::Directive) continue;
      const auto word = directive_word(tokens_[at].text);
      if (opens_condition(word)) ++deep;
      if (word == "endif" && --deep == 0) return at + 1;
    }
    return std::nullopt;
  }

  /// `__kernel` in one branch, `__kernel __attribute__(...)` in the other, the function after `#endif`.
  std::optional<std::size_t> rest_of_condition(std::size_t first, std::size_t at) const {
    bool head = at > first && !open_.empty();
    for (auto i = first; head && i < at; ++i) head = !tokens_[i].is("{") && !tokens_[i].is(";");
    if (!head || !has_mark(first, at)) return std::nullopt;
    int deep = 1;
    for (; at < tokens_.size(); ++at) {
      if (tokens_[at].is("{") || tokens_[at].is(";")) return std::nullopt;
      if (tokens_[at].kind != Token::Kind::Directive) continue;
      const auto word = directive_word(tokens_[at].text);
      if (opens_condition(word)) ++deep;
      if (word == "endif" && --deep == 0) return at + 1;
    }
    return std::nullopt;
  }
  bool has_mark(std::size_t first, std::size_t at) const {
    for (auto i = first; i < at; ++i) {
      if (marks_kernel(tokens_, i)) return true;
    }
    return false;
  }

  /// A body that begins in one branch and ends after `#endif` takes the whole conditional with it.
  void close_conditions_inside(Item& item, std::size_t first, std::size_t last) {
    int deep = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (tokens_[i].kind != Token::Kind::Directive) continue;
      const auto word = directive_word(tokens_[i].text);
      if (opens_condition(word)) ++deep;
      if (word != "endif" || --deep >= 0) continue;
      deep = 0;
      if (open_.empty()) continue;
      const auto opener = open_.back();
      open_.pop_back();
      item.range.begin = out_[opener].range.begin;
      for (std::size_t k = opener; k < out_.size(); ++k) {
        item.mentions.merge(out_[k].mentions);
        item.calls.merge(out_[k].calls);
        item.declares.insert(item.declares.end(), out_[k].declares.begin(), out_[k].declares.end());
      }
      out_.resize(opener);
      item.conditions = open_;
    }
  }

  void finish_invocation(Item& item, std::size_t first, std::size_t last) {
    item.range = {tokens_[first].begin, tokens_[last].end};
    add_mentions(tokens_, first, last, item);
    const auto invocation = text_.substr(item.range.begin, item.range.end - item.range.begin);
    if (depth_ < 4) {
      const auto expanded = expand_all(invocation, macros_);
      for (const auto& made : Cutter(expanded, {}, depth_ + 1).cut())
        item.declares.insert(item.declares.end(), made.declares.begin(), made.declares.end());
    }
    item.kind = Item::Kind::Function;
    out_.push_back(std::move(item));
  }

  bool is_initialiser(std::size_t first, std::size_t at) const {
    for (std::size_t i = first; i < at; ++i) {
      if (tokens_[i].is("{")) return false;
      if (tokens_[i].is("=")) return true;
    }
    return false;
  }

  void name(Item& item, std::size_t first, std::size_t last, bool parameters, bool body) const {
    if (parameters) {
      if (const auto named = function_name(first, last)) {
        item.declares.emplace_back(tokens_[*named].text);
        bool kernel = false;
        for (auto i = first; i < *named; ++i) kernel = kernel || marks_kernel(tokens_, i);
        item.kind = kernel && body ? Item::Kind::Kernel : Item::Kind::Function;
        return;
      }
    }
    name_others(item, first, last);
  }

  /// Types, constants, typedefs.
  void name_others(Item& item, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i <= last;) {
      const auto& token = tokens_[i];
      if (token.is("(")) {  // a pointer to a function is named inside; an attribute does not matter
        if (i + 2 <= last && tokens_[i + 1].is("*") && tokens_[i + 2].kind == Token::Kind::Word)
          item.declares.emplace_back(tokens_[i + 2].text);
        i = after_matching(tokens_, i, last + 1);
      } else if (token.is("[")) {
        i = after_matching(tokens_, i, last + 1);
      } else if (token.is("{")) {
        const bool enumeration =
            std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(i), [](const Token& t) { return t.is("enum"); });
        const auto end = after_matching(tokens_, i, last + 1);
        for (; enumeration && i < end; ++i) {
          const bool names = tokens_[i].kind == Token::Kind::Word && (tokens_[i - 1].is("{") || tokens_[i - 1].is(","));
          if (names) item.declares.emplace_back(tokens_[i].text);
        }
        i = end;
      } else if (token.is("=")) {
        while (i <= last && !tokens_[i].is(",") && !tokens_[i].is(";"))
          i = tokens_[i].is("{") || tokens_[i].is("(") ? after_matching(tokens_, i, last + 1) : i + 1;
      } else {
        // `typedef unsigned char uchar;`: a word that OpenCL alone knows by itself.
        const bool named = !is_keyword(token.text) || (tokens_[first].is("typedef") && i + 1 == last);
        if (token.kind == Token::Kind::Word && named && declared_here(first, i, last))
          item.declares.emplace_back(token.text);
        ++i;
      }
    }
  }

  bool declared_here(std::size_t first, std::size_t i, std::size_t last) const {
    if (i == last) return true;
    const auto& next = tokens_[i + 1];
    const bool tag = i > first && (tokens_[i - 1].is("struct") || tokens_[i - 1].is("union") ||
                                   tokens_[i - 1].is("enum") || tokens_[i - 1].is("class"));
    if (tag && next.is("<")) {  // template <> struct limits<float> {
      const auto end = behind_angles(i + 1, last + 1);
      return end <= last && (tokens_[end].is("{") || tokens_[end].is(":"));
    }
    if (tag)
      return next.is("{") || next.is(":") || (next.is(";") && (i == first + 1 || tokens_[first].is("template"))) ||
             next.is("__attribute__");
    return next.is("=") || next.is(";") || next.is(",") || next.is("[") || next.is("__attribute__") || next.is("{");
  }

  /// One past the `>` that closes the `<` at `open`, or `end`.
  std::size_t behind_angles(std::size_t open, std::size_t end) const {
    int depth = 0;
    for (auto i = open; i < end; ++i) {
      if (tokens_[i].is("(") || tokens_[i].is("{")) i = after_matching(tokens_, i, end) - 1;
      for (const char c : tokens_[i].kind == Token::Kind::Punctuation ? tokens_[i].text : std::string_view())
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (depth <= 0) return i + 1;
    }
    return end;
  }

  /// `from_float` of `template <> float from_float<float>(float v)`, where `closing` is the `>`. A kernel that is
  /// specialised is no kernel of its own.
  std::optional<std::size_t> specialised_name(std::size_t first, std::size_t closing) const {
    if (!tokens_[first].is("template")) return std::nullopt;
    for (auto open = closing; open > first + 1; --open) {
      if (!tokens_[open].is("<") || behind_angles(open, closing + 1) != closing + 1) continue;
      const auto named = open - 1;
      if (tokens_[named].kind != Token::Kind::Word || is_keyword(tokens_[named].text) ||
          tokens_[named].is("operator") || has_mark(first, named))
        return std::nullopt;
      return named;
    }
    return std::nullopt;
  }

  /// The word before the first bracketed list that is not an attribute's.
  std::optional<std::size_t> function_name(std::size_t first, std::size_t last) const {
    if (tokens_[first].is("typedef")) return std::nullopt;
    if (tokens_[first].is("struct") || tokens_[first].is("enum") || tokens_[first].is("union") ||
        tokens_[first].is("class")) {
      const auto brace = std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                                      tokens_.begin() + static_cast<std::ptrdiff_t>(last),
                                      [](const Token& t) { return t.is("{") || t.is("("); });
      if (brace->is("{")) return std::nullopt;
    }
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i].is("{") || tokens_[i].is("=")) return std::nullopt;
      if (tokens_[i].is("[")) i = after_matching(tokens_, i, last) - 1;
      if (!tokens_[i].is("(") || i == first) continue;
      const auto& before = tokens_[i - 1];
      const auto end = after_matching(tokens_, i, last + 1);
      // `MACRO(x) name(...)`: what is called like a function and followed by a word is no function's name.
      const bool more = end < last && (tokens_[end].kind == Token::Kind::Word || tokens_[end].is("*")) &&
                        !tokens_[end].is("__attribute__") && !tokens_[end].is("const") && !tokens_[end].is("noexcept");
      // A word of OpenCL's alone: in CUDA it is the name that many a kernel has.
      const bool is_name = !is_keyword(before.text) || (before.is("kernel") && has_mark(first, i - 1));
      if (before.kind == Token::Kind::Word && is_name && !more) return i - 1;
      if (before.is(">"))
        if (const auto named = specialised_name(first, i - 1)) return named;
      for (auto named = i - 1; named > first && named + 3 > i; --named)  // operator+=, operator[]
        if (tokens_[named].is("operator")) return named;
      i = end - 1;
    }
    return std::nullopt;
  }

  std::string_view text_;
  Tokens tokens_;
  const Macros& macros_;
  int depth_ = 0;
  std::vector<Item> out_;
  std::vector<std::size_t> open_;
};

}  // namespace

bool marks_kernel(const Tokens& tokens, std::size_t at) {
  const auto& token = tokens[at];
  if (token.kind != Token::Kind::Word) return false;
  if (token.is("__kernel") || token.is("__global__")) return true;
  if (!token.is("kernel") || at + 1 >= tokens.size()) return false;
  const auto& next = tokens[at + 1];
  const bool type = next.is("void") || next.is("__attribute__") || next.is("KERNEL_FQ");
  const bool after = at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("->") || tokens[at - 1].is("::"));
  return type && !after;
}

bool defines_kernel(std::string_view text) {
  if (text.find("kernel") == std::string_view::npos && text.find("__global__") == std::string_view::npos) return false;
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (marks_kernel(tokens, i)) return true;
  }
  return false;
}

bool is_keyword(std::string_view word) {
  static const std::set<std::string_view> words = {"const",
                                                   "volatile",
                                                   "restrict",
                                                   "static",
                                                   "extern",
                                                   "inline",
                                                   "typedef",
                                                   "struct",
                                                   "union",
                                                   "enum",
                                                   "unsigned",
                                                   "signed",
                                                   "__attribute__",
                                                   "__global",
                                                   "__local",
                                                   "__constant",
                                                   "__private",
                                                   "global",
                                                   "local",
                                                   "constant",
                                                   "private",
                                                   "__kernel",
                                                   "kernel",
                                                   "void",
                                                   "char",
                                                   "short",
                                                   "int",
                                                   "long",
                                                   "float",
                                                   "double",
                                                   "half",
                                                   "bool",
                                                   "__global__",
                                                   "__device__",
                                                   "__host__",
                                                   "__constant__",
                                                   "__shared__",
                                                   "__forceinline__",
                                                   "__inline__",
                                                   "__inline",
                                                   "template",
                                                   "typename",
                                                   "class",
                                                   "return",
                                                   "if",
                                                   "for",
                                                   "while",
                                                   "switch",
                                                   "sizeof",
                                                   "aligned",
                                                   "packed",
                                                   "reqd_work_group_size",
                                                   "work_group_size_hint",
                                                   "vec_type_hint",
                                                   "__launch_bounds__",
                                                   "__read_only",
                                                   "__write_only",
                                                   "read_only",
                                                   "write_only",
                                                   "__restrict",
                                                   "__restrict__",
                                                   "constexpr",
                                                   "public",
                                                   "virtual",
                                                   "register",
                                                   "goto",
                                                   "do",
                                                   "else",
                                                   "case",
                                                   "__noinline__",
                                                   "__managed__",
                                                   "__extension__",
                                                   "asm",
                                                   "__asm__",
                                                   "namespace",
                                                   "using",
                                                   "uint",
                                                   "uchar",
                                                   "ushort",
                                                   "ulong",
                                                   "size_t",
                                                   "alignas",
                                                   "__align__",
                                                   "nosvm",
                                                   "static_assert",
                                                   "work_group_size",
                                                   "decltype",
                                                   "noexcept"};
  return words.contains(word);
}

std::vector<Item> items_of(std::string_view text, const Macros& macros) { return Cutter(text, macros, 0).cut(); }

}  // namespace hone::source::host
