#include "mep/structs.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "core/c_tokens.hpp"
#include "core/language.hpp"

namespace hone::mep {
namespace {

constexpr int kDeepest = 8;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& token : c_tokens(text)) {
    if (token.kind == CToken::Kind::Space || token.kind == CToken::Kind::Newline || token.kind == CToken::Kind::Comment)
      continue;
    if (token.kind == CToken::Kind::Punctuation) {
      for (const char c : token.text) out.emplace_back(1, c);
    } else {
      out.emplace_back(token.text);
    }
  }
  return out;
}

/// One past the bracket that closes the one at `open`.
std::size_t closing(const std::vector<std::string>& words, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    if (words[i] == "{" || words[i] == "(" || words[i] == "[") ++depth;
    if ((words[i] == "}" || words[i] == ")" || words[i] == "]") && --depth == 0) return i + 1;
  }
  return words.size();
}

bool is_word(const std::string& text) { return !text.empty() && starts_name(text.front()); }

struct Attributes {
  bool packed = false;
  std::size_t alignment = 0;
};

/// Takes every __attribute__((...)) out.
Attributes take_attributes(std::vector<std::string>& words) {
  Attributes out;
  for (std::size_t i = 0; i + 1 < words.size();) {
    if (words[i] != "__attribute__" && words[i] != "__attribute") {
      ++i;
      continue;
    }
    const auto end = closing(words, i + 1);
    for (auto k = i; k < end; ++k) {
      if (words[k] == "packed" || words[k] == "__packed__") out.packed = true;
      if ((words[k] == "aligned" || words[k] == "__aligned__") && k + 2 < end)
        out.alignment = static_cast<std::size_t>(std::max(std::atol(words[k + 2].c_str()), 0L));
    }
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return out;
}

}  // namespace

Structs::Structs(const ir::Unit& unit, const std::map<std::string, std::string>& defines) : constants_(defines) {
  for (const auto& node : unit.root ? unit.root->children : ir::Nodes{}) {
    if (node->kind == ir::Kind::TopLevel) learn(node->text);
    if (node->kind != ir::Kind::Directive) continue;
    for (const auto& line : split(node->text, '\n')) {
      const auto words = words_of(line);
      if (words.size() > 3 && words[1] == "define" && words[3] != "(")
        constants_.emplace(words[2], join({words.begin() + 3, words.end()}, " "));
      if (words.size() == 4 && words[1] == "define") constants_.emplace(words[2], words[3]);
    }
  }
}

void Structs::learn(const std::string& declaration) {
  auto words = words_of(declaration);
  const auto attributes = take_attributes(words);
  std::size_t at = 0;
  const bool is_typedef = !words.empty() && words[0] == "typedef";
  if (is_typedef) ++at;
  while (at < words.size() && (words[at] == "const" || words[at] == "volatile")) ++at;
  if (at >= words.size()) return;
  const bool record = words[at] == "struct" || words[at] == "union";
  if (!record) {
    if (is_typedef && words.size() > at + 2 && words.back() == ";" && words[at] != "enum") {
      const auto& name = words[words.size() - 2];
      if (is_word(name)) aliases_[name] = join({words.begin() + static_cast<std::ptrdiff_t>(at), words.end() - 2}, " ");
    } else if (is_typedef && words.size() > 2 && is_word(words[words.size() - 2])) {
      aliases_[words[words.size() - 2]] = "int";
    }
    return;
  }
  Body body;
  body.is_union = words[at] == "union";
  body.packed = attributes.packed;
  body.alignment = attributes.alignment;
  std::string tag;
  if (++at < words.size() && is_word(words[at])) tag = words[at++];
  if (at < words.size() && words[at] == "{") {
    const auto end = closing(words, at);
    body.words.words.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                            words.begin() + static_cast<std::ptrdiff_t>(end) - 1);
    if (!tag.empty()) bodies_[tag] = body;
    at = end;
  } else if (is_typedef && at < words.size() && is_word(words[at])) {
    aliases_[words[at]] = "struct " + tag;
    return;
  }
  for (; is_typedef && at < words.size(); ++at)
    if (is_word(words[at])) bodies_[words[at]] = body;
}

std::string Structs::resolved(std::vector<std::string> words) const {
  static const std::set<std::string> idle = {"const",   "volatile", "restrict",   "__global", "global", "__private",
                                             "private", "__local",  "local",      "struct",   "union",  "enum",
                                             "signed",  "static",   "__constant", "constant"};
  bool is_unsigned = false;
  int longs = 0;
  std::string base;
  for (int depth = 0; depth < kDeepest; ++depth) {
    base.clear();
    for (const auto& word : words) {
      if (word == "unsigned") is_unsigned = true;
      if (word == "long") ++longs;
      if (word == "unsigned" || word == "long" || idle.contains(word)) continue;
      if (word == "int" && !base.empty()) continue;  // short int
      base = word;
    }
    if (bodies_.contains(base)) return base;
    const auto alias = aliases_.find(base);
    const auto macro = constants_.find(base);
    if (alias == aliases_.end() && macro == constants_.end()) break;
    words = words_of(alias != aliases_.end() ? alias->second : macro->second);
  }
  if (longs > 0) return is_unsigned ? "ulong" : "long";
  if (base.empty()) return is_unsigned ? "uint" : "int";
  return is_unsigned && element_type("u" + base) ? "u" + base : base;
}

Result<std::size_t> Structs::count_of(const std::vector<std::string>& words, int depth) const {
  if (depth > kDeepest) return fail("E-COMPLETE", "an array's size is defined by itself");
  std::vector<std::string> expanded;
  bool names = false;
  for (const auto& word : words) {
    const auto macro = is_word(word) ? constants_.find(word) : constants_.end();
    names = names || macro != constants_.end();
    if (macro == constants_.end()) {
      std::string number = word;  // 16u
      while (number.size() > 1 && std::isdigit(static_cast<unsigned char>(number[0])) != 0 &&
             std::string_view("uUlL").find(number.back()) != std::string_view::npos)
        number.pop_back();
      expanded.push_back(word == "/" ? "//" : number);
    } else {
      expanded.emplace_back("(");
      for (const auto& inner : words_of(macro->second)) expanded.push_back(inner);
      expanded.emplace_back(")");
    }
  }
  if (names) return count_of(expanded, depth + 1);
  const auto expression = Expression::parse(join(expanded, " "));
  const auto value = expression ? expression->evaluate_integer([](std::string_view) { return std::nullopt; })
                                : Result<std::int64_t>(fail(expression.error()));
  if (!value || *value < 1) return fail("E-COMPLETE", "the size of an array, " + join(words, " ") + ", is not known");
  return static_cast<std::size_t>(*value);
}

Result<std::string> Structs::describe(const std::string& type, std::vector<StructSpec>& out, int depth) const {
  if (element_type(type)) return type;
  const auto body = bodies_.find(type);
  if (body == bodies_.end()) return fail("E-COMPLETE", "type " + type + " is not declared in the kernel's text");
  if (depth > kDeepest) return fail("E-COMPLETE", "struct " + type + " holds itself");
  if (std::ranges::find(out, type, &StructSpec::name) != out.end()) return type;
  if (body->second.is_union) return fail("E-COMPLETE", type + " is a union");
  auto spec = parse(type, body->second.words, out, depth);
  if (!spec) return fail(std::move(spec).error().context("struct " + type));
  spec->packed = body->second.packed;
  spec->alignment = body->second.alignment;
  out.push_back(std::move(*spec));
  return type;
}

Result<StructSpec> Structs::parse(const std::string& name, const Words& body, std::vector<StructSpec>& out,
                                  int depth) const {
  StructSpec spec{name, {}, false, 0};
  const auto& words = body.words;
  for (std::size_t at = 0; at < words.size();) {
    std::vector<std::string> type;
    std::string base;
    for (; at < words.size() && is_word(words[at]); ++at) {
      const bool inner = (words[at] == "struct" || words[at] == "union") && at + 1 < words.size() &&
                         (words[at + 1] == "{" || (at + 2 < words.size() && words[at + 2] == "{"));
      if (inner) {
        if (words[at] == "union") return fail("E-COMPLETE", "there is a union in it");
        const auto open = words[at + 1] == "{" ? at + 1 : at + 2;
        const auto end = closing(words, open);
        base = name + "." + std::to_string(spec.fields.size());
        Words within{{words.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                      words.begin() + static_cast<std::ptrdiff_t>(end) - 1}};
        auto made = parse(base, within, out, depth + 1);
        if (!made) return made;
        out.push_back(std::move(*made));
        at = end - 1;
        continue;
      }
      type.push_back(words[at]);
    }
    // The last word before a bracket, a comma or the end is the first field's name.
    bool first = true;
    while (at <= words.size()) {
      std::string field;
      if (first) {
        if (type.empty() || (type.size() < 2 && base.empty())) return fail("E-COMPLETE", "a field is not understood");
        field = type.back();
        type.pop_back();
        first = false;
      } else {
        if (at >= words.size() || !is_word(words[at])) return fail("E-COMPLETE", "a field is not understood");
        field = words[at++];
      }
      if (base.empty()) {
        auto known = describe(resolved(type), out, depth + 1);
        if (!known) return fail(std::move(known).error());
        base = *known;
      }
      std::size_t count = 1;
      while (at < words.size() && words[at] == "[") {
        const auto end = closing(words, at);
        const auto size = count_of(
            {words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.begin() + static_cast<std::ptrdiff_t>(end) - 1},
            0);
        if (!size) return fail(size.error());
        count *= *size;
        at = end;
      }
      spec.fields.push_back({field, base, count});
      if (at < words.size() && words[at] == ",") {
        ++at;
        continue;
      }
      if (at < words.size() && words[at] == ";") {
        while (at < words.size() && words[at] == ";") ++at;
        break;
      }
      return fail("E-COMPLETE", at < words.size() && words[at] == "*" ? "field " + field + " is a pointer"
                                                                      : "field " + field + " is not understood");
    }
  }
  if (spec.fields.empty()) return fail("E-COMPLETE", "it has no fields");
  return spec;
}

std::optional<std::string> Structs::element_of(const std::string& type) const {
  const auto name = resolved(words_of(type));
  return element_type(name) ? std::optional(name) : std::nullopt;
}

Result<std::vector<StructSpec>> Structs::find(const std::string& name) const {
  std::vector<StructSpec> out;
  auto type = describe(resolved(words_of(name)), out, 0);
  if (!type) return fail(std::move(type).error());
  return out;
}

}  // namespace hone::mep
