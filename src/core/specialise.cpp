// Source templates made concrete: what is judged, and what lands in a user's tree, is plain code without tuning macros.
#include <algorithm>
#include <optional>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "core/c_tokens.hpp"
#include "core/template.hpp"

namespace hone {
namespace {

using Kind = CToken::Kind;
using Tokens = std::vector<CToken>;

std::string literal_text(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "1" : "0";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto text = print(value);
  return text.starts_with('-') ? "(" + text + ")" : text;
}

/// One line of source, continuations joined: a directive, or code.
struct Line {
  Tokens tokens;               // with its newline
  std::string_view directive;  // "if", "define", ...; empty for code
};

std::optional<std::size_t> next_solid(const Tokens& tokens, std::size_t at) {
  for (; at < tokens.size(); ++at)
    if (tokens[at].kind != Kind::Space && tokens[at].kind != Kind::Comment) return at;
  return std::nullopt;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines(1);
  for (const auto& token : c_tokens(text)) {
    lines.back().tokens.push_back(token);
    if (token.kind == Kind::Newline) lines.emplace_back();
  }
  for (auto& line : lines) {
    const auto hash = next_solid(line.tokens, 0);
    if (!hash || line.tokens[*hash].text != "#") continue;
    const auto word = next_solid(line.tokens, *hash + 1);
    if (word) line.directive = line.tokens[*word].text;
  }
  return lines;
}

class Specialiser {
 public:
  explicit Specialiser(const Configuration& configuration) : configuration_(configuration) {}

  Result<std::string> apply(std::string_view source) {
    const auto lines = lines_of(source);
    for (const auto& line : lines) note_pasted(line);
    for (const auto& line : lines)
      if (auto done = add(line); !done) return fail(std::move(done).error());
    if (!open_.empty()) return fail("E-TEMPLATE", "an #if of the template's source has no #endif");
    std::string kept;
    for (const auto& name : pasted_) kept += "#define " + name + " " + literal_text(configuration_.at(name)) + "\n";
    return kept + out_;
  }

 private:
  /// An #if being read. `folds`: its conditions are over parameters alone, so that only the taken branch is kept.
  struct Conditional {
    bool folds = false;
    bool taken = false;  // a branch was taken already
    bool live = true;    // this branch is kept
  };

  bool is_parameter(const CToken& token) const {
    return token.kind == Kind::Identifier && configuration_.contains(std::string(token.text));
  }

  /// A parameter beside # or ## cannot become a literal: its name is what is pasted.
  void note_pasted(const Line& line) {
    if (line.directive != "define") return;
    for (std::size_t i = 0; i < line.tokens.size(); ++i) {
      if (!is_parameter(line.tokens[i])) continue;
      const auto after = next_solid(line.tokens, i + 1);
      std::optional<std::size_t> before;
      for (std::size_t j = 0; j < i; ++j)
        if (line.tokens[j].kind != Kind::Space && line.tokens[j].kind != Kind::Comment) before = j;
      const bool pasted =
          (after && line.tokens[*after].text == "##") ||
          (before && (line.tokens[*before].text == "##" || (line.tokens[*before].text == "#" && *before > 1)));
      if (pasted) pasted_.insert(std::string(line.tokens[i].text));
    }
  }

  bool live() const { return std::ranges::all_of(open_, &Conditional::live); }

  Status add(const Line& line) {
    const auto& d = line.directive;
    if (d == "if" || d == "ifdef" || d == "ifndef") return open(line);
    if (d == "elif" || d == "else" || d == "endif") return branch(line);
    if (!live()) return {};
    if (d == "define" || d == "undef") {
      const auto word = next_solid(line.tokens, 0);
      const auto name = next_solid(line.tokens, next_solid(line.tokens, *word + 1).value() + 1);
      if (name && is_parameter(line.tokens[*name]))
        return fail("E-TEMPLATE",
                    "parameter " + std::string(line.tokens[*name].text) + " is also #defined in the source",
                    "remove that #define, or put it inside #ifndef");
    }
    emit(line.tokens);
    return {};
  }

  Status open(const Line& line) {
    const bool outer_live = live();
    const auto value = outer_live ? condition(line) : std::optional<bool>(false);
    open_.push_back({.folds = value.has_value(), .taken = value.value_or(false), .live = value.value_or(true)});
    if (!value) emit(line.tokens);
    return {};
  }

  Status branch(const Line& line) {
    if (open_.empty())
      return fail("E-TEMPLATE", "#" + std::string(line.directive) + " without #if in the template's source");
    auto& current = open_.back();
    if (line.directive == "endif") {
      const bool folds = current.folds;
      open_.pop_back();
      if (!folds && live()) emit(line.tokens);
      return {};
    }
    if (!current.folds) {
      if (live()) emit(line.tokens);
      return {};
    }
    if (line.directive == "else") {
      current.live = !current.taken;
      current.taken = true;
      return {};
    }
    const auto value = current.taken ? std::optional<bool>(false) : condition(line);
    if (!value)
      return fail("E-TEMPLATE", "an #elif mixes parameters with other names after an #if over parameters alone",
                  "write it as a nested #if");
    current.live = *value;
    current.taken |= *value;
    return {};
  }

  /// The value of a condition over parameters alone; nothing when other names are in it.
  std::optional<bool> condition(const Line& line) const {
    const auto hash = next_solid(line.tokens, 0);
    auto at = next_solid(line.tokens, *hash + 1).value() + 1;
    if (line.directive == "ifdef" || line.directive == "ifndef") {
      const auto name = next_solid(line.tokens, at);
      if (!name || !is_parameter(line.tokens[*name])) return std::nullopt;
      return line.directive == "ifdef";
    }
    std::string text;
    bool any_parameter = false;
    for (; at < line.tokens.size(); ++at) {
      const auto& token = line.tokens[at];
      if (token.kind == Kind::Comment || token.kind == Kind::Newline || token.text == "\\\n") continue;
      if (token.text == "defined") {
        auto name = next_solid(line.tokens, at + 1);
        const bool parenthesis = name && line.tokens[*name].text == "(";
        if (parenthesis) name = next_solid(line.tokens, *name + 1);
        if (!name || !is_parameter(line.tokens[*name])) return std::nullopt;
        at = parenthesis ? next_solid(line.tokens, *name + 1).value_or(*name) : *name;
        text += " true ";
        any_parameter = true;
      } else if (is_parameter(token)) {
        text += literal_text(configuration_.at(std::string(token.text)));
        any_parameter = true;
      } else if (token.kind == Kind::Identifier) {
        return std::nullopt;
      } else {
        text += token.text == "&&"   ? " and "
                : token.text == "||" ? " or "
                : token.text == "!"  ? " not "
                : token.text == "/"  ? "//"
                                     : std::string(token.text);
      }
    }
    if (!any_parameter) return std::nullopt;
    const auto parsed = Expression::parse(trim(text));
    if (!parsed) return std::nullopt;
    const auto value = parsed->evaluate([](std::string_view) { return std::nullopt; });
    if (!value) return std::nullopt;
    if (const auto* b = std::get_if<bool>(&*value)) return *b;
    if (const auto* i = std::get_if<std::int64_t>(&*value)) return *i != 0;
    return std::nullopt;
  }

  void emit(const Tokens& tokens) {
    std::string_view before;
    for (const auto& token : tokens) {
      const bool member = before == "." || before == "->";
      const bool replace = is_parameter(token) && !member && !pasted_.contains(std::string(token.text));
      if (replace)
        out_ += literal_text(configuration_.at(std::string(token.text)));
      else
        out_ += token.text;
      if (token.kind != Kind::Space && token.kind != Kind::Comment) before = token.text;
    }
  }

  const Configuration& configuration_;
  std::set<std::string> pasted_;
  std::vector<Conditional> open_;
  std::string out_;
};

}  // namespace

std::vector<LaunchShape> specialise(const std::vector<LaunchShape>& shapes, const Configuration& configuration) {
  const auto with = [&](std::string_view name) -> std::optional<Expression> {
    const auto found = configuration.find(std::string(name));
    if (found == configuration.end()) return std::nullopt;
    return Expression::literal(found->second);
  };
  auto out = shapes;
  for (auto& shape : out) {
    for (auto& e : shape.global) e = e.substitute(with);
    for (auto& e : shape.local) e = e.substitute(with);
  }
  return out;
}

Result<Variant> instantiate_source(const Template& source_template, const Configuration& configuration) {
  for (const auto& parameter : source_template.space.parameters)
    if (!configuration.contains(parameter.name)) return fail("E-TEMPLATE", "no value for parameter " + parameter.name);
  auto source = Specialiser(configuration).apply(source_template.source);
  if (!source) return fail(std::move(source).error().context("template " + source_template.name));
  return Variant{source_template.language, std::move(*source), specialise(source_template.launches, configuration),
                 source_template.options};
}

std::string hash_of(const Variant& variant) {
  std::string text(name_of(variant.language));
  const auto add = [&text](const std::string& part) { text += '\0' + part; };
  add(variant.source);
  for (const auto& option : variant.options) add(option);
  for (const auto& shape : variant.launches) {
    add(shape.kernel);
    for (const auto& e : shape.global) add(e.print());
    add("local");
    for (const auto& e : shape.local) add(e.print());
  }
  return content_hash(text);
}

std::map<std::string, std::string> defines_in(const std::vector<std::string>& options) {
  std::map<std::string, std::string> out;
  for (const auto& option : options) {
    if (!option.starts_with("-D")) continue;
    const auto equals = option.find('=');
    out[option.substr(2, equals == std::string::npos ? equals : equals - 2)] =
        equals == std::string::npos ? "1" : option.substr(equals + 1);
  }
  return out;
}

}  // namespace hone
