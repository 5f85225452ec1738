#include "patch/launch_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "patch/statement.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

/// Names, members and subscripts: safe to write twice and to index.
bool is_path(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.->:[]").find(c) != std::string_view::npos;
  });
}

/// What stands before the bracket at `open`, template arguments aside: `min` of `std::min<int>(`.
std::string_view called_at(const std::vector<Token>& tokens, const std::string& text, std::size_t open) {
  if (open == 0) return {};
  auto at = open - 1;
  if (text_of(tokens[at], text) == ">") {
    int depth = 0;
    for (;; --at) {
      const auto word = text_of(tokens[at], text);
      depth += word == ">" ? 1 : word == "<" ? -1 : 0;
      if (depth == 0 || at == 0) break;
    }
    if (at == 0) return {};
    --at;
  }
  return tokens[at].kind == Token::Kind::Word ? text_of(tokens[at], text) : std::string_view();
}

bool is_harmless(std::string_view function) {
  static constexpr std::array<std::string_view, 14> words = {
      "data",   "size",     "empty",       "front",      "NDRange",          "dim3",
      "sizeof", "min",      "static_cast", "const_cast", "reinterpret_cast", "size_t",
      "max",    "size_type"};
  return std::find(words.begin(), words.end(), function) != words.end();
}

/// Evaluating it twice is the same as once: no calls but of what only reads, no increments, no assignments.
bool is_pure(const std::string& text) {
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto word = text_of(tokens[i], text);
    const bool doubled =
        i + 1 < tokens.size() && tokens[i + 1].begin == tokens[i].end && text_of(tokens[i + 1], text) == word;
    if (doubled && (word == "+" || word == "-")) return false;
    if (word == "=") return false;
    const auto called = word == "(" ? called_at(tokens, text, i) : std::string_view();
    if (!called.empty() && !is_harmless(called)) return false;
  }
  return true;
}

/// Nothing of the statement is certain to happen, or to have happened, before the launch: its parts are operands and
/// arguments, whose order the language leaves open. What is computed in front of the statement is then computed in one
/// of the orders that it always could have been.
Status can_be_first(const std::string& file, std::size_t place) {
  const auto statement = statement_around(file, place);
  if (!statement) return fail(std::move(statement).error());
  const auto refuse = [&](std::string_view mark) {
    return fail("E-LAUNCHSITE", fmt::format("the sizes are computed inside the call, and `{}` before it in the "
                                            "statement may decide whether they are or change them",
                                            mark));
  };
  const auto tokens = tokens_of(file);
  std::vector<bool> brackets;  // of a call?
  for (std::size_t i = 0; i < tokens.size() && tokens[i].begin < place; ++i) {
    if (tokens[i].begin < statement->begin) continue;
    const auto word = text_of(tokens[i], file);
    if (word == "(") brackets.push_back(!called_at(tokens, file, i).empty());
    if (word == ")" && !brackets.empty()) brackets.pop_back();
    const bool doubled = i > 0 && tokens[i - 1].end == tokens[i].begin && text_of(tokens[i - 1], file) == word;
    if (word == "?" || word == ";" || word == "{" || word == "<<<") return refuse(word);
    if (doubled && (word == "&" || word == "|" || word == "+" || word == "-" || word == "<")) return refuse(word);
    if (word == "," && (brackets.empty() || !brackets.back())) {
      // Template arguments have commas too; between declarations and operands the order is fixed.
      std::size_t t = i;
      while (t > 0 && tokens[t - 1].begin >= statement->begin && text_of(tokens[t - 1], file) != "<") --t;
      const bool in_template = t > 0 && text_of(tokens[t - 1], file) == "<";
      if (!in_template) return refuse(word);
    }
  }
  return {};
}

std::string slice(const std::string& file, ByteRange range) {
  return file.substr(range.begin, range.end - range.begin);
}

bool is_null(const std::string& text) {
  return text == "NULL" || text == "nullptr" || text == "0" || text == "cl::NullRange" || text == "NullRange";
}

/// Item i of the array, range or pointer that `text` names.
std::string item(const std::string& text, std::size_t i) {
  if (text.size() > 1 && text[0] == '&' && is_path(text.substr(1)) && text.back() != ']')
    return i == 0 ? text.substr(1) : fmt::format("({})[{}]", text, i);
  return is_path(text) ? fmt::format("{}[{}]", text, i) : fmt::format("({})[{}]", text, i);
}

/// `cl::NDRange(a, b)` and `{a, b}` say their items in place.
std::optional<std::string> item_in_place(const std::string& text, std::size_t i) {
  const bool braces = text.starts_with('{') && text.ends_with('}');
  const auto written = braces ? "NDRange(" + text.substr(1, text.size() - 2) + ")" : text;
  auto call = call_named(written, {0, written.size()}, "NDRange");
  if (!call) return std::nullopt;
  return i < call->arguments.size() ? std::optional("(size_t)(" + slice(written, call->arguments[i]) + ")")
                                    : std::nullopt;
}

/// In C++ a copy of a pointer must not outlive what it points to: what a function returns is copied whole.
bool can_be_copied(const std::string& text, const LaunchCall& call) {
  if (call.dialect != LaunchCall::Dialect::Arrays || call.in_c) return true;
  const auto tokens = tokens_of(text);
  std::size_t open = 0;
  while (open < tokens.size() && text_of(tokens[open], text) != "(") ++open;
  return open > 0 && open < tokens.size() && is_path(std::string_view(text).substr(0, tokens[open - 1].end)) &&
         closing(tokens, text, open) + 1 == tokens.size();
}

Result<LaunchCall> with_texts(LaunchCall call, const std::string& file) {
  call.global_text = slice(file, call.global);
  call.local_text = slice(file, call.local);
  call.local_is_null = call.local_is_absent || is_null(call.local_text);
  if (is_null(call.global_text)) return fail("E-LAUNCHSITE", "the launch has no global size");
  // Of a <<<grid, block>>> both are always copied.
  if (call.dialect == LaunchCall::Dialect::Chevrons) return call;
  call.global_once = !is_pure(call.global_text);
  call.local_once = !is_pure(call.local_text);
  if (!call.global_once && !call.local_once) return call;
  if (auto first = can_be_first(file, call.place); !first) return fail(std::move(first).error());
  for (const auto& [once, text] : {std::pair(call.global_once, &call.global_text), {call.local_once, &call.local_text}})
    if (once && !can_be_copied(*text, call))
      return fail("E-LAUNCHSITE", fmt::format("the sizes are computed inside the call: what `{}` points to may not "
                                              "live until a copy is used",
                                              *text));
  return call;
}

bool is_c(std::string_view name, const std::string& file) {
  if (name.ends_with(".c")) return true;
  return name.ends_with(".h") && file.find("::") == std::string::npos && file.find("class ") == std::string::npos;
}

Result<LaunchCall> read_arrays(const std::string& file, const LaunchSite& site, const Call& call) {
  if (call.arguments.size() < 6) return fail("E-LAUNCHSITE", "the launch has too few arguments");
  LaunchCall out;
  const std::string dimensions = slice(file, call.arguments[2]);
  const bool literal = dimensions.size() == 1 && dimensions[0] >= '1' && dimensions[0] <= '3';
  out.dimensions = literal ? static_cast<std::size_t>(dimensions[0] - '0') : site.global.size();
  out.global = call.arguments[4];
  out.local = call.arguments[5];
  out.null_text = file.find("nullptr") == std::string::npos ? "NULL" : "nullptr";
  out.place = call.name;
  out.in_c = is_c(site.file, file);
  return with_texts(std::move(out), file);
}

/// `arguments[global]` is the global size, and the local one follows or is left out.
Result<LaunchCall> read_ranges(const std::string& file, const LaunchSite& site, const Call& call, std::size_t global) {
  LaunchCall out;
  out.dialect = LaunchCall::Dialect::Ranges;
  out.dimensions = site.global.size();
  out.global = call.arguments[global];
  out.local_is_absent = global + 1 >= call.arguments.size();
  out.local = out.local_is_absent ? ByteRange{out.global.end, out.global.end} : call.arguments[global + 1];
  out.null_text = "cl::NullRange";
  out.place = call.name;
  return with_texts(std::move(out), file);
}

/// A range by its text, or a variable that is declared as one.
bool is_range(const std::string& file, const std::string& text) {
  if (text.find("NDRange") != std::string::npos || text.find("NullRange") != std::string::npos || text.starts_with('{'))
    return true;
  const auto tokens = tokens_of(file);
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (text_of(tokens[i], file) == text && text_of(tokens[i - 1], file) == "NDRange") return true;
  return false;
}

/// Of `(queue, global, local)` and `(queue, events, global)`: only the first has a local size, which the host was seen
/// to give or not. Text alone does not tell: `padded(n, m)` may be either.
Result<std::size_t> global_of_three(const std::string& file, const LaunchSite& site, const Call& call) {
  const auto second = slice(file, call.arguments[1]), third = slice(file, call.arguments[2]);
  if (!site.local_is_null || is_range(file, second) || third.find("NullRange") != std::string::npos) return 1;
  if (is_range(file, third)) return 2;
  return fail(
      "E-LAUNCHSITE",
      fmt::format("whether `{}` or `{}` is the global size of this cl::EnqueueArgs is not known", second, third));
}

/// (queue, [event or events,] [offset,] global[, local])
Result<LaunchCall> read_enqueue_args(const std::string& file, const LaunchSite& site, const Call& call) {
  const auto count = call.arguments.size();
  if (count < 2 || count > 5) return fail("E-LAUNCHSITE", "these arguments of cl::EnqueueArgs are not known");
  if (count != 3) return read_ranges(file, site, call, count == 2 ? 1 : count - 2);
  const auto global = global_of_three(file, site, call);
  if (!global) return fail(global.error());
  return read_ranges(file, site, call, *global);
}

/// `f(range, a, b)`, where `cl::EnqueueArgs range(queue, global, local);` is for calls of `f` only.
Result<LaunchCall> read_named_args(const std::string& file, const LaunchSite& site) {
  const auto tokens = tokens_of(file);
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < tokens.size() && text_of(tokens[i], file) == text;
  };
  std::size_t callee = 0;
  while (callee < tokens.size() && tokens[callee].begin < site.call.begin) ++callee;
  const auto refuse = [] { return fail("E-LAUNCHSITE", "this is no launch that is known"); };
  if (!is(callee + 1, "(") || !(is(callee + 3, ",") || is(callee + 3, ")"))) return refuse();
  const auto name = text_of(tokens[callee + 2], file);
  const auto functor = text_of(tokens[callee], file);
  std::optional<std::size_t> made;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (text_of(tokens[i], file) != name || tokens[i].kind != Token::Kind::Word) continue;
    const bool declared = is(i - 1, "EnqueueArgs");
    if (declared && made) return fail("E-LAUNCHSITE", fmt::format("two cl::EnqueueArgs are called {}", name));
    if (declared) made = i;
    if (!declared && !(is(i - 1, "(") && is(i - 2, functor)))
      return fail("E-LAUNCHSITE",
                  fmt::format("line {} uses {} for something else", line_of(file, tokens[i].begin), name));
  }
  if (!made) return refuse();
  auto call = call_named(file, {tokens[*made].begin, file.size()}, name);
  if (!call || call->name != tokens[*made].begin) return refuse();
  return read_enqueue_args(file, site, *call);
}

Result<LaunchCall> read_chevrons(const std::string& file, const LaunchSite& site) {
  const auto open = file.find("<<<", site.call.begin);
  const auto close = file.find(">>>", site.call.begin);
  if (open >= site.call.end || close >= site.call.end) return fail("E-LAUNCHSITE", "this is no launch that is known");
  // Read as the arguments of a call, so that commas inside brackets do not split.
  const std::string inside = "f(" + file.substr(open + 3, close - open - 3) + ")";
  auto call = call_named(inside, {0, inside.size()}, "f");
  if (!call || call->arguments.size() < 2) return fail("E-LAUNCHSITE", "the launch has no grid and block");
  const auto shifted = [&](ByteRange range) { return ByteRange{range.begin + open + 1, range.end + open + 1}; };
  LaunchCall out;
  out.dialect = LaunchCall::Dialect::Chevrons;
  out.place = site.call.begin;
  out.dimensions = site.global.size();
  out.global = shifted(call->arguments[0]);
  out.local = shifted(call->arguments[1]);
  return with_texts(std::move(out), file);
}

/// hipLaunchKernelGGL(kernel, grid, block, ...) and its kin say what the chevrons say.
Result<LaunchCall> read_launcher(const LaunchSite& site, const std::string& file, const Call& call) {
  if (call.arguments.size() < 3) return fail("E-LAUNCHSITE", "the launch has no grid and block");
  LaunchCall out;
  out.dialect = LaunchCall::Dialect::Chevrons;
  out.place = site.call.begin;
  out.dimensions = site.global.size();
  out.global = call.arguments[1];
  out.local = call.arguments[2];
  return with_texts(std::move(out), file);
}

/// The one place where `name` stands before its use, as an index of tokens; nothing when there are more, or a macro has
/// it.
std::optional<std::size_t> declared_once(const std::string& file, const std::vector<Token>& tokens,
                                         std::string_view name) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto text = text_of(tokens[i], file);
    if (tokens[i].kind == Token::Kind::Word && text == name) places.push_back(i);
    if (tokens[i].kind == Token::Kind::Directive && text.find(name) != std::string_view::npos) return std::nullopt;
  }
  return places.size() == 2 ? std::optional(places.front()) : std::nullopt;
}

}  // namespace

std::optional<OnlyUse> only_use(const std::string& file, const std::string& argument) {
  const bool by_address = argument.starts_with('&');
  const std::string name = argument.substr(by_address ? 1 : 0);
  if (!is_identifier(name)) return std::nullopt;
  const auto tokens = tokens_of(file);
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < tokens.size() && text_of(tokens[i], file) == text;
  };
  const auto declared = declared_once(file, tokens, name);
  if (!declared || *declared == 0 || !is(*declared - 1, "size_t")) return std::nullopt;
  auto at = *declared + 1;
  const bool is_array = is(at, "[");
  if (is_array == by_address) return std::nullopt;
  if (is_array) at = closing(tokens, file, at) + 1;
  if (!is(at, "=")) return std::nullopt;
  const auto first = at + 1;
  for (at = first; at < tokens.size() && !is(at, ";") && !is(at, ",");) {
    const bool opens = is(at, "{") || is(at, "(") || is(at, "[");
    at = opens ? closing(tokens, file, at) + 1 : at + 1;
  }
  if (at >= tokens.size() || at == first) return std::nullopt;
  return OnlyUse{{tokens[first].begin, tokens[at - 1].end}, is_array};
}

std::optional<std::string> LaunchCall::size_named(std::string_view name) const {
  const bool is_global = name.substr(0, 14) == "launch.global[";
  const bool is_local = name.substr(0, 13) == "launch.local[";
  if ((!is_global && !is_local) || (is_local && local_is_null)) return std::nullopt;
  const std::size_t i = static_cast<std::size_t>(name[name.size() - 2] - '0');
  if (i >= dimensions || i > 2) return std::nullopt;
  if (dialect == Dialect::Chevrons) {
    const char axis = "xyz"[i];
    if (is_local) return fmt::format("{}.{}", old_local, axis);
    return fmt::format("({}.{} * {}.{})", old_global, axis, old_local, axis);
  }
  if (is_global ? global_once : local_once) return fmt::format("{}[{}]", is_global ? old_global : old_local, i);
  const std::string& text = is_global ? global_text : local_text;
  if (dialect == Dialect::Ranges)
    if (auto in_place = item_in_place(text, i)) return in_place;
  return item(text, i);
}

Result<LaunchCall> read_call(const std::string& file, const LaunchSite& site) {
  if (auto call = call_named(file, site.call, "clEnqueueNDRangeKernel")) return read_arrays(file, site, *call);
  if (auto call = call_named(file, site.call, "enqueueNDRangeKernel")) {
    if (call->arguments.size() < 3) return fail("E-LAUNCHSITE", "the launch has too few arguments");
    return read_ranges(file, site, *call, 2);
  }
  if (auto call = call_named(file, site.call, "EnqueueArgs")) return read_enqueue_args(file, site, *call);
  for (const auto launcher : kLaunchers)
    if (auto call = call_named(file, site.call, launcher)) return read_launcher(site, file, *call);
  if (slice(file, site.call).find("<<<") == std::string::npos) return read_named_args(file, site);
  return read_chevrons(file, site);
}

}  // namespace hone::patch
