#include "patch/launch_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

/// Evaluating it twice is the same as once: no calls but `.data()` and casts, no increments, no assignments.
bool is_pure(const std::string& text) {
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto word = text_of(tokens[i], text);
    const bool doubled =
        i + 1 < tokens.size() && tokens[i + 1].begin == tokens[i].end && text_of(tokens[i + 1], text) == word;
    if (doubled && (word == "+" || word == "-")) return false;
    if (word == "=") return false;
    const bool called =
        tokens[i].kind == Token::Kind::Word && i + 1 < tokens.size() && text_of(tokens[i + 1], text) == "(";
    if (called && word != "data" && word != "NDRange" && word != "dim3" && word != "sizeof") return false;
  }
  return true;
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

/// `cl::NDRange(a, b)` and braces say their items in place.
std::optional<std::string> item_in_place(const std::string& text, std::size_t i) {
  auto call = call_named(text, {0, text.size()}, "NDRange");
  if (!call) return std::nullopt;
  return i < call->arguments.size() ? std::optional("(size_t)(" + slice(text, call->arguments[i]) + ")") : std::nullopt;
}

Result<LaunchCall> with_texts(LaunchCall call, const std::string& file) {
  call.global_text = slice(file, call.global);
  call.local_text = slice(file, call.local);
  call.local_is_null = is_null(call.local_text);
  if (is_null(call.global_text)) return fail("E-LAUNCHSITE", "the launch has no global size");
  // Of a <<<grid, block>>> both are copied once, in front of the call.
  const bool once = call.dialect == LaunchCall::Dialect::Chevrons;
  if (!once && (!is_pure(call.global_text) || !is_pure(call.local_text)))
    return fail("E-LAUNCHSITE", "the sizes are computed inside the call, and cannot be computed twice");
  return call;
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
  return with_texts(std::move(out), file);
}

Result<LaunchCall> read_ranges(const std::string& file, const LaunchSite& site, const Call& call) {
  if (call.arguments.size() < 4) return fail("E-LAUNCHSITE", "the launch leaves its local size to a default argument");
  LaunchCall out;
  out.dialect = LaunchCall::Dialect::Ranges;
  out.dimensions = site.global.size();
  out.global = call.arguments[2];
  out.local = call.arguments[3];
  out.null_text = "cl::NullRange";
  return with_texts(std::move(out), file);
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
    if (is_local) return fmt::format("{}.{}", old_block, axis);
    return fmt::format("({}.{} * {}.{})", old_grid, axis, old_block, axis);
  }
  const std::string& text = is_global ? global_text : local_text;
  if (dialect == Dialect::Ranges)
    if (auto in_place = item_in_place(text, i)) return in_place;
  return item(text, i);
}

Result<LaunchCall> read_call(const std::string& file, const LaunchSite& site) {
  if (auto call = call_named(file, site.call, "clEnqueueNDRangeKernel")) return read_arrays(file, site, *call);
  if (auto call = call_named(file, site.call, "enqueueNDRangeKernel")) return read_ranges(file, site, *call);
  for (const auto launcher : kLaunchers)
    if (auto call = call_named(file, site.call, launcher)) return read_launcher(site, file, *call);
  return read_chevrons(file, site);
}

}  // namespace hone::patch
