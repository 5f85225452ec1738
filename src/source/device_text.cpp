#include "source/device_text.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace hone::source::host {
namespace {

bool ends_with_any(const std::string& path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool marks_kernel(const Token& token) { return token.is("__kernel") || token.is("kernel") || token.is("__global__"); }

bool defines_kernel(std::string_view text) {
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!marks_kernel(tokens[i])) continue;
    if (tokens[i].text != "kernel" || tokens[i + 1].is("void") || tokens[i + 1].is("__attribute__")) return true;
  }
  return false;
}

/// Names that the words of a declaration do not declare.
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
                                                   "__launch_bounds__"};
  return words.contains(word);
}

std::string directive_word(std::string_view text) {
  auto at = text.find_first_not_of(" \t", 1);
  if (at == std::string_view::npos) return {};
  auto end = at;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return std::string(text.substr(at, end - at));
}

class Cutter {
 public:
  explicit Cutter(std::string_view text) : tokens_(tokens_of(text)) {}

  std::vector<Item> cut() {
    for (std::size_t at = 0; at < tokens_.size();) {
      at = tokens_[at].kind == Token::Kind::Directive ? directive(at) : declaration(at);
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
    const auto inner = tokens_of(token.text.substr(1));  // the words after the hash
    for (const auto& word : inner) {
      if (word.kind == Token::Kind::Word) item.mentions.insert(std::string(word.text));
    }
    if (item.directive == "define" && inner.size() > 1) {
      item.kind = Item::Kind::Macro;
      item.declares.emplace_back(inner[1].text);
    } else if (item.directive == "undef" && inner.size() > 1) {
      item.kind = Item::Kind::Macro;
      item.declares.emplace_back(inner[1].text);
    } else if (item.directive == "include") {
      item.kind = Item::Kind::Include;
    } else if (item.directive == "pragma") {
      item.kind = Item::Kind::Pragma;
    } else {
      item.kind = Item::Kind::Conditional;
      const bool continues = item.directive == "endif" || item.directive.starts_with("el");
      if (continues && !open_.empty()) {
        item.group = open_.back();
        item.conditions.pop_back();
      }
      if (item.directive == "endif" && !open_.empty()) open_.pop_back();
    }
    const bool opens = item.directive == "if" || item.directive == "ifdef" || item.directive == "ifndef";
    out_.push_back(std::move(item));
    if (opens) open_.push_back(out_.size() - 1);
    return at + 1;
  }

  /// Up to a `;` or the end of a function's body; directives inside belong to it as long as brackets are open.
  std::size_t declaration(std::size_t at) {
    Item item;
    item.conditions = open_;
    const std::size_t first = at;
    bool parameters = false;
    bool body = false;
    std::size_t last = at;
    while (at < tokens_.size()) {
      const auto& token = tokens_[at];
      if (token.kind == Token::Kind::Directive) break;
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
      } else {
        ++at;
      }
    }
    item.range = {tokens_[first].begin, tokens_[last].end};
    for (std::size_t i = first; i <= last; ++i) {
      if (tokens_[i].kind == Token::Kind::Word) item.mentions.insert(std::string(tokens_[i].text));
      if (tokens_[i].kind != Token::Kind::Directive) continue;
      for (const auto& word : tokens_of(tokens_[i].text.substr(1))) {
        if (word.kind == Token::Kind::Word) item.mentions.insert(std::string(word.text));
      }
    }
    name(item, first, last, parameters, body);
    out_.push_back(std::move(item));
    return std::max(at, first + 1);
  }

  bool is_initialiser(std::size_t first, std::size_t at) const {
    for (std::size_t i = first; i < at; ++i) {
      if (tokens_[i].is("{")) return false;
      if (tokens_[i].is("=")) return true;
    }
    return false;
  }

  void name(Item& item, std::size_t first, std::size_t last, bool parameters, bool body) const {
    const bool kernel = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                                    tokens_.begin() + static_cast<std::ptrdiff_t>(last), marks_kernel);
    if (parameters && function_name(item, first, last)) {
      item.kind = kernel && body ? Item::Kind::Kernel : Item::Kind::Function;
      return;
    }
    // Types, constants, typedefs: every word outside of brackets that is no keyword may be what is declared.
    for (std::size_t i = first; i <= last;) {
      if (tokens_[i].is("(")) {  // a typedef of a function pointer names inside; an attribute does not matter
        i = after_matching(tokens_, i, last + 1);
      } else if (tokens_[i].is("{")) {
        const bool enumeration =
            std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(i), [](const Token& t) { return t.is("enum"); });
        const auto end = after_matching(tokens_, i, last + 1);
        for (; enumeration && i < end; ++i) {
          if (tokens_[i].kind == Token::Kind::Word) item.declares.emplace_back(tokens_[i].text);
        }
        i = end;
      } else if (tokens_[i].is("=")) {
        while (i <= last && !tokens_[i].is(",") && !tokens_[i].is(";"))
          i = tokens_[i].is("{") || tokens_[i].is("(") ? after_matching(tokens_, i, last + 1) : i + 1;
      } else {
        if (tokens_[i].kind == Token::Kind::Word && !is_keyword(tokens_[i].text))
          item.declares.emplace_back(tokens_[i].text);
        ++i;
      }
    }
    // In `typedef float real` the first word is what it stands for, not what it declares.
    if (tokens_[first].is("typedef") && item.declares.size() > 1) {
      const bool has_body =
          std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(last), [](const Token& t) { return t.is("{"); });
      if (!has_body) item.declares.erase(item.declares.begin(), item.declares.end() - 1);
    }
  }

  /// The word before the first bracketed list that is not an attribute's.
  bool function_name(Item& item, std::size_t first, std::size_t last) const {
    if (tokens_[first].is("typedef") || tokens_[first].is("struct") || tokens_[first].is("enum") ||
        tokens_[first].is("union")) {
      const auto brace = std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                                      tokens_.begin() + static_cast<std::ptrdiff_t>(last),
                                      [](const Token& t) { return t.is("{") || t.is("("); });
      if (tokens_[first].is("typedef") || brace->is("{")) return false;
    }
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i].is("{") || tokens_[i].is("=")) return false;
      if (!tokens_[i].is("(") || i == first) continue;
      const auto& before = tokens_[i - 1];
      if (before.kind == Token::Kind::Word && !is_keyword(before.text)) {
        item.declares.emplace_back(before.text);
        return true;
      }
      i = after_matching(tokens_, i, last) - 1;
    }
    return false;
  }

  Tokens tokens_;
  std::vector<Item> out_;
  std::vector<std::size_t> open_;
};

/// Runs of adjacent literals; a raw string stands alone.
void texts_in_strings(const std::string& path, const std::string& text, std::vector<DeviceText>& out) {
  const auto tokens = tokens_of(text);
  const auto is_string = [&](std::size_t i) { return i < tokens.size() && tokens[i].kind == Token::Kind::String; };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool raw = tokens[i].kind == Token::Kind::RawString;
    if (!raw && !is_string(i)) continue;
    Decoded decoded;
    decode(tokens[i], decoded);
    while (!raw && is_string(i + 1)) decode(tokens[++i], decoded);
    if (!defines_kernel(decoded.text)) continue;
    DeviceText found;
    found.file = path;
    found.embedding = raw ? Embedding::RawString : Embedding::StringLiterals;
    found.text = std::move(decoded.text);
    found.places = std::move(decoded.places);
    found.places.push_back(found.places.empty() ? 0 : found.places.back() + 1);
    found.items = items_of(found.text);
    out.push_back(std::move(found));
  }
}

}  // namespace

bool is_host_file(const std::string& path) {
  return ends_with_any(path, {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".cu", ".cuh", ".hip"});
}
bool is_device_file(const std::string& path) { return ends_with_any(path, {".cl", ".clh", ".ocl", ".cu", ".hip"}); }
Language language_of(const std::string& path) {
  if (ends_with_any(path, {".cu", ".cuh"})) return Language::Cuda;
  return path.ends_with(".hip") ? Language::Hip : Language::OpenCL;
}

ByteRange DeviceText::in_file(ByteRange range) const {
  if (range.begin >= range.end) return {places[range.begin], places[range.begin]};
  return {places[range.begin], places[range.end - 1] + 1};
}

std::vector<Item> items_of(std::string_view text) { return Cutter(text).cut(); }

DeviceText device_file(const std::string& path, const std::string& text) {
  DeviceText out;
  out.file = path;
  out.language = language_of(path);
  out.text = text;
  out.places.resize(text.size() + 1);
  std::iota(out.places.begin(), out.places.end(), std::size_t{0});
  out.items = items_of(text);
  return out;
}

std::vector<DeviceText> device_texts(const Files& files) {
  std::vector<DeviceText> out;
  for (const auto& [path, text] : files) {
    if (is_device_file(path)) {
      if (defines_kernel(text)) out.push_back(device_file(path, text));
    } else if (is_host_file(path)) {
      texts_in_strings(path, text, out);
    }
  }
  return out;
}

}  // namespace hone::source::host
