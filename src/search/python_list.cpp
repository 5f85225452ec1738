#include "search/python_list.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/text.hpp"
#include "core/arithmetic.hpp"
#include "core/expression.hpp"

namespace hone::search {

namespace {

constexpr std::size_t most_values = 1'000'000;
constexpr int deepest = 50;

using Values = std::vector<Value>;
using Scope = std::map<std::string, Value>;

tl::unexpected<Error> complain(std::string_view text, std::string_view what) {
  return fail("E-FORMAT", std::string(what) + " in the value list " + std::string(text));
}

/// Calls visit(i) at each byte outside strings and brackets; stops when it returns true.
template <class Visit>
std::size_t find_outside(std::string_view text, Visit visit) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      const auto end = text.find(c, i + 1);
      if (end == std::string_view::npos) return end;
      i = end;
      continue;
    }
    if (c == ')' || c == ']') --depth;
    if (depth == 0 && visit(i)) return i;
    if (c == '(' || c == '[') ++depth;
  }
  return std::string_view::npos;
}

std::size_t find_word(std::string_view text, std::string_view word) {
  return find_outside(text, [&](std::size_t i) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return text.substr(i, word.size()) == word && (i == 0 || !is_part(text[i - 1])) &&
           (i + word.size() >= text.size() || !is_part(text[i + word.size()]));
  });
}

std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = find_outside(text, [&](std::size_t i) { return text[i] == separator; });
    parts.push_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text = text.substr(at + 1);
  }
}

class Evaluator {
 public:
  Result<Values> list(std::string_view text, const Scope& scope) {
    text = trim(text);
    if (++depth_ > deepest) return complain(text, "too much nesting");
    auto values = sum(text, scope);
    --depth_;
    return values;
  }

 private:
  Result<Values> sum(std::string_view text, const Scope& scope) {
    const auto terms = split_outside(text, '+');
    if (terms.size() == 1) return term(text, scope);
    Values all;
    for (const auto part : terms) {
      auto values = list(part, scope);
      if (!values) return values;
      all.insert(all.end(), values->begin(), values->end());
      if (all.size() > most_values) return complain(text, "too many values");
    }
    return all;
  }

  Result<Values> term(std::string_view text, const Scope& scope) {
    for (const std::string_view wrapper : {"list", "tuple", "sorted"}) {
      if (text.starts_with(wrapper) && is_bracketed(trim(text.substr(wrapper.size())), '(', ')')) {
        const auto inner = trim(text.substr(wrapper.size()));
        auto values = list(inner.substr(1, inner.size() - 2), scope);
        if (values && wrapper == "sorted") {
          std::sort(values->begin(), values->end(), [](const Value& a, const Value& b) {
            const auto ordered = compare("<", a, b);
            return ordered && *ordered;
          });
        }
        return values;
      }
    }
    if (text.starts_with("range")) return range(text, trim(text.substr(5)), scope);
    if (is_bracketed(text, '[', ']')) return items(text.substr(1, text.size() - 2), scope);
    if (is_bracketed(text, '(', ')')) {
      const auto inner = trim(text.substr(1, text.size() - 2));
      const bool tuple = split_outside(inner, ',').size() > 1 || find_word(inner, "for") != std::string_view::npos;
      return tuple ? items(inner, scope) : list(inner, scope);
    }
    if (find_word(text, "for") != std::string_view::npos) return items(text, scope);  // list(i for i in ...)
    return complain(text, "neither a list, a range nor a comprehension");
  }

  static bool is_bracketed(std::string_view text, char open, char close) {
    if (text.size() < 2 || text.front() != open || text.back() != close) return false;
    // The bracket that opens must be the one that closes at the end.
    const auto end = find_outside(text, [&](std::size_t i) { return i > 0 && text[i] == close; });
    return end == text.size() - 1;
  }

  Result<Value> scalar(std::string_view text, const Scope& scope) {
    auto expression = Expression::parse(text);
    if (!expression) return fail(expression.error());
    return expression->evaluate(environment_of(scope));
  }

  Result<Values> range(std::string_view whole, std::string_view arguments, const Scope& scope) {
    if (!is_bracketed(arguments, '(', ')')) return complain(whole, "range without arguments");
    std::vector<std::int64_t> bounds;
    for (const auto part : split_outside(arguments.substr(1, arguments.size() - 2), ',')) {
      const auto value = scalar(part, scope);
      if (!value) return fail(value.error());
      const auto integer = as_integer(*value);
      if (!integer) return complain(whole, "range of something that is no integer");
      bounds.push_back(*integer);
    }
    if (bounds.empty() || bounds.size() > 3) return complain(whole, "range takes 1 to 3 arguments");
    const std::int64_t first = bounds.size() == 1 ? 0 : bounds[0];
    const std::int64_t last = bounds.size() == 1 ? bounds[0] : bounds[1];
    const std::int64_t step = bounds.size() == 3 ? bounds[2] : 1;
    if (step == 0) return complain(whole, "range with step 0");
    Values values;
    for (std::int64_t i = first; step > 0 ? i < last : i > last;) {
      values.emplace_back(i);
      if (values.size() > most_values) return complain(whole, "too many values");
      if (__builtin_add_overflow(i, step, &i)) break;
    }
    return values;
  }

  Result<Values> items(std::string_view text, const Scope& scope) {
    if (const auto loop = find_word(text, "for"); loop != std::string_view::npos) {
      Values values;
      auto done = comprehend(trim(text.substr(0, loop)), text.substr(loop), scope, values);
      if (!done) return fail(done.error());
      return values;
    }
    Values values;
    for (const auto part : split_outside(text, ',')) {
      if (part.empty()) continue;  // a trailing comma, or an empty list
      auto value = scalar(part, scope);
      if (!value) return fail(value.error());
      values.push_back(std::move(*value));
    }
    return values;
  }

  /// clauses: "for NAME in LIST [if CONDITION] [for ...]".
  Status comprehend(std::string_view element, std::string_view clauses, const Scope& scope, Values& out) {
    clauses = trim(clauses);
    if (clauses.empty()) {
      auto value = scalar(element, scope);
      if (!value) return fail(value.error());
      out.push_back(std::move(*value));
      if (out.size() > most_values) return complain(element, "too many values");
      return {};
    }
    if (clauses.starts_with("if")) {
      const auto end = find_word(clauses, "for");
      const auto holds = scalar(clauses.substr(2, end == std::string_view::npos ? end : end - 2), scope);
      if (!holds) return fail(holds.error());
      if (!truth(*holds)) return {};
      return comprehend(element, end == std::string_view::npos ? "" : clauses.substr(end), scope, out);
    }
    const auto in = find_word(clauses, "in");
    if (!clauses.starts_with("for") || in == std::string_view::npos)
      return complain(clauses, "expected for NAME in LIST");
    const std::string name(trim(clauses.substr(3, in - 3)));
    if (!is_identifier(name)) return complain(clauses, "the loop variable is no name");
    const auto rest = clauses.substr(in + 2);
    const auto end = std::min(find_word(rest, "if"), find_word(rest, "for"));
    auto values = list(rest.substr(0, end), scope);
    if (!values) return fail(values.error());
    Scope inner = scope;
    for (const auto& value : *values) {
      inner[name] = value;
      auto done = comprehend(element, end == std::string_view::npos ? "" : rest.substr(end), inner, out);
      if (!done) return done;
    }
    return {};
  }

  int depth_ = 0;
};

}  // namespace

Result<std::vector<Value>> evaluate_python_list(std::string_view text) { return Evaluator().list(text, {}); }

}  // namespace hone::search
