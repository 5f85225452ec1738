// What the names of a followed host program stand for.

#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "source/follower_parts.hpp"

namespace hone::source::host {

std::optional<std::int64_t> Follower::concretely(const HostValue& value) const {
  if (value.kind != Kind::Number) return std::nullopt;
  const auto known = value.number.evaluate([&](std::string_view name) -> std::optional<Value> {
    const auto found = program_.symbols.find(std::string(name));
    return found == program_.symbols.end() ? std::nullopt : found->second;
  });
  if (!known) return std::nullopt;
  if (const auto* held = std::get_if<std::int64_t>(&*known)) return *held;
  if (const auto* held = std::get_if<double>(&*known); held != nullptr && *held == std::floor(*held))
    return static_cast<std::int64_t>(*held);
  return std::nullopt;
}

std::string Follower::key_of(const std::string& variable) const {
  auto own = std::to_string(frame_) + "/" + variable;
  if (variables_.contains(own) || types_.contains(own)) return own;
  auto global = "0/" + variable;
  if (variables_.contains(global) || types_.contains(global)) return global;
  return own;
}

/// The key of a variable, a member or an item with a known number; nothing for anything that is computed.
std::optional<std::string> Follower::path_key(const Span& span) {
  if (span.empty()) return std::nullopt;
  std::size_t i = 0;
  while (i < span.size() && (span[i].is("&") || span[i].is("*"))) ++i;
  if (i < span.size() && span[i].is("(")) {  // (&a)->b, (a).b
    const auto end = after_matching(span.file->tokens, span.begin + i, span.end) - span.begin;
    if (end == span.size()) return path_key(span.sub(i + 1, end - 1));
    return std::nullopt;
  }
  if (i >= span.size() || span[i].kind != Token::Kind::Word) return std::nullopt;
  if (span[i].is("this") && i + 2 < span.size()) i += 2;
  std::string key = key_of(std::string(span[i++].text));
  const auto through = [&] {
    const auto held = variables_.find(key);
    if (held != variables_.end() && held->second.kind == Kind::Reference) key = held->second.text;
  };
  while (i < span.size()) {
    if ((span[i].is(".") || span[i].is("->")) && i + 1 < span.size()) {
      through();
      key += "." + std::string(span[i + 1].text);
      i += 2;
    } else if (span[i].is("[")) {
      const auto end = after_matching(span.file->tokens, span.begin + i, span.end) - span.begin;
      const auto index = concretely(evaluate(span.sub(i + 1, end - 1)));
      if (!index) return std::nullopt;
      through();
      key += "[" + std::to_string(*index) + "]";
      i = end;
    } else {
      return std::nullopt;
    }
  }
  return key;
}

HostValue Follower::lookup(const std::string& key, const std::string& name) {
  const auto found = variables_.find(key);
  if (found != variables_.end() && found->second.kind != Kind::Unknown) {
    return found->second;
  }
  const auto macro = code_.macros.find(name);
  if (found == variables_.end() && macro != code_.macros.end() && depth_ < 40) {
    ++depth_;
    HostValue value = evaluate(macro->second);
    --depth_;
    const auto fixed = literal_of(value);
    if (fixed) return symbol("0/" + name, Value(*fixed));
    if (value.kind == Kind::Number && value.real && value.number.root().kind == Expression::Kind::Literal)
      return symbol("0/" + name, value.number.root().value, true);
    return value;
  }
  if (variables_.contains(key + "[0]")) {
    HostValue out;
    out.kind = Kind::Reference;
    out.text = key;
    return out;
  }
  const auto prefix = key + ".";
  const auto member = variables_.lower_bound(prefix);
  if (member != variables_.end() && member->first.starts_with(prefix)) {
    HostValue out;
    out.kind = Kind::Reference;
    out.text = key;
    return out;
  }
  if (!is_identifier(name) || name.starts_with("CL_")) return {};
  const auto hint = code_.hint(name);
  auto out = symbol(key, hint ? std::optional(Value(*hint)) : std::nullopt);
  if (hint) program_.symbol_provenance[out.number.root().text] = {Provenance::Kind::Guessed, {}};
  return out;
}

HostValue Follower::symbol(const std::string& variable, std::optional<Value> start, bool real) {
  // A helper called twice has two frames, but its own constants are the same symbols each time.
  auto own = std::to_string(frame_) + "/";
  const std::string key = variable.starts_with(own) ? function_ + "/" + variable.substr(own.size()) : variable;
  const auto known = symbol_of_.find(key);
  if (known != symbol_of_.end()) {
    auto& held = program_.symbols[known->second];
    if (!held) held = start;
    return number(Expression::name(known->second), real);
  }
  auto base = key.substr(key.find_last_of("/.") + 1);
  base = base.substr(0, base.find('['));
  std::string name = base;
  for (int n = 2; program_.symbols.contains(name); ++n) name = base + "_" + std::to_string(n);
  program_.symbols[name] = std::move(start);
  symbol_of_[key] = name;
  return number(Expression::name(name), real);
}

std::optional<std::int64_t> Follower::size_of(const Span& type, int depth) const {
  static const std::map<std::string_view, std::int64_t> sizes = {
      {"char", 1},     {"uchar", 1},    {"bool", 1},   {"int8_t", 1}, {"uint8_t", 1}, {"short", 2},    {"ushort", 2},
      {"int16_t", 2},  {"uint16_t", 2}, {"half", 2},   {"int", 4},    {"uint", 4},    {"unsigned", 4}, {"float", 4},
      {"int32_t", 4},  {"uint32_t", 4}, {"long", 8},   {"ulong", 8},  {"double", 8},  {"size_t", 8},   {"int64_t", 8},
      {"uint64_t", 8}, {"mem", 8},      {"cl_mem", 8}, {"sampler", 8}};
  constexpr int kDeepest = 4;  // declarations and typedefs may name each other
  if (depth > kDeepest) return std::nullopt;
  std::int64_t out = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (type[i].is("*") && i > 0) return 8;
    if (type[i].is("[") || type[i].is("(") || type[i].is("<")) break;
    if (type[i].kind != Token::Kind::Word) continue;
    auto word = type[i].text;
    if (word.starts_with("cl_")) word = word.substr(3);
    std::int64_t lanes = 1;
    const auto digits = word.find_last_not_of("0123456789");
    if (!sizes.contains(word) && digits != std::string_view::npos && digits + 1 < word.size()) {
      std::from_chars(word.data() + digits + 1, word.data() + word.size(), lanes);
      word = word.substr(0, digits + 1);
      if (lanes == 3) lanes = 4;
    }
    if (const auto found = sizes.find(word); found != sizes.end()) {
      out = std::max(out, found->second * lanes);
    } else if (const auto macro = code_.macros.find(std::string(type[i].text)); macro != code_.macros.end()) {
      if (const auto inner = size_of(macro->second, depth + 1)) out = std::max(out, *inner);
    } else if (const auto held = types_.find(key_of(std::string(type[i].text))); held != types_.end()) {
      HostFile text{"", held->second, {}};
      text.tokens = tokens_of(text.text);
      auto words = text.tokens.size();  // without the variable's own name at the end of its declaration
      if (words > 0 && text.tokens[words - 1].is(type[i].text)) --words;
      if (const auto inner = size_of(Span{&text, 0, words}, depth + 1)) out = std::max(out, *inner);
    } else if (!type[i].is("const") && !type[i].is("struct") && !type[i].is("std")) {
      for (const auto& file : code_.files) {  // typedef float real;
        const auto& tokens = file->tokens;
        for (std::size_t t = 0; t + 2 < tokens.size(); ++t) {
          if (tokens[t].is("typedef") && tokens[t + 2].is(type[i].text)) {
            if (const auto inner = size_of(Span{file.get(), t + 1, t + 2}, depth + 1)) out = std::max(out, *inner);
          }
        }
      }
    }
  }
  return out > 0 ? std::optional(out) : std::nullopt;
}

}  // namespace hone::source::host
