#include "source/template_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "source/defines.hpp"
#include "source/host_tokens.hpp"

namespace hone::source {
namespace {

using host::Token;
using host::Tokens;

/// One past the `>` that closes the `<` at `open`; 0 when it is no list.
std::size_t after_angle(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) {
      i = host::after_matching(tokens, i, tokens.size()) - 1;
      continue;
    }
    if (token.is(";") || token.is("{")) return 0;
    if (token.is("<")) ++depth;
    if (token.is("<<") || token.is("<<<")) return 0;
    for (const char c : token.kind == Token::Kind::Punctuation ? token.text : std::string_view()) {
      if (c == '>' && --depth == 0) return i + 1;
    }
  }
  return 0;
}

/// What stands between commas of the outermost level, as ranges of tokens.
std::vector<std::pair<std::size_t, std::size_t>> parts(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  int depth = 0;
  std::size_t from = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens[i].is("(") || tokens[i].is("<")) ++depth;
    if (tokens[i].is(")") || tokens[i].is(">")) --depth;
    if (depth != 0 || !tokens[i].is(",")) continue;
    out.emplace_back(from, i);
    from = i + 1;
  }
  if (from < end) out.emplace_back(from, end);
  return out;
}

std::string text_between(std::string_view text, const Tokens& tokens, std::size_t begin, std::size_t end) {
  if (begin >= end) return {};
  return std::string(text.substr(tokens[begin].begin, tokens[end - 1].end - tokens[begin].begin));
}

struct Named {
  std::vector<std::string> arguments;
  std::string place;
};

/// `kernel<...>` in front of `<<<`, or as a whole argument of a launching function.
std::optional<Named> named_instance(const std::string& kernel, const std::string& file, const std::string& text) {
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is(kernel) || tokens[i].kind != Token::Kind::Word || !tokens[i + 1].is("<")) continue;
    const auto end = after_angle(tokens, i + 1);
    if (end == 0 || end >= tokens.size()) continue;
    const bool launch = tokens[end].is("<<<") || tokens[end].is("<<") || tokens[end].is("<") || tokens[end].is(")") ||
                        tokens[end].is(",");
    if (!launch) continue;
    Named out;
    for (const auto& [from, to] : parts(tokens, i + 2, end - 1))
      out.arguments.push_back(text_between(text, tokens, from, to));
    out.place = fmt::format(
        "{}:{}", file, 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin), '\n'));
    return out;
  }
  return std::nullopt;
}

bool is_plain_type(const std::string& words) {
  static const std::set<std::string, std::less<>> known = {"float",
                                                           "double",
                                                           "int",
                                                           "unsigned",
                                                           "unsigned int",
                                                           "char",
                                                           "unsigned char",
                                                           "short",
                                                           "long",
                                                           "size_t",
                                                           "int8_t",
                                                           "int16_t",
                                                           "int32_t",
                                                           "int64_t",
                                                           "uint8_t",
                                                           "uint16_t",
                                                           "uint32_t",
                                                           "uint64_t",
                                                           "float2",
                                                           "float3",
                                                           "float4",
                                                           "double2",
                                                           "int2",
                                                           "int4",
                                                           "__half",
                                                           "half",
                                                           "bool",
                                                           "unsigned short",
                                                           "unsigned long",
                                                           "long long",
                                                           "unsigned long long"};
  return known.contains(words);
}

bool is_number(const std::string& words) {
  return words == "true" || words == "false" ||
         (!words.empty() && std::isdigit(static_cast<unsigned char>(words[0])) != 0);
}

/// `typename NAME` or `int NAME` between the angles of a template: the name is bound by someone else.
bool is_bound(const std::string& text, const std::string& name) {
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("template") || !tokens[i + 1].is("<")) continue;
    const auto end = after_angle(tokens, i + 1);
    for (const auto& [from, to] : parts(tokens, i + 2, end == 0 ? i + 2 : end - 1))
      for (std::size_t j = from + 1; j < to; ++j)
        if (tokens[j].is(name)) return true;
  }
  return false;
}

/// `constexpr int NAME = 256`, `const int NAME = 256`.
std::optional<std::string> constant_of(const std::string& text, const std::string& name) {
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 2; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || !tokens[i + 1].is("=")) continue;
    const auto value = std::string(tokens[i + 2].text);
    if (is_number(value) && (tokens[i + 3 < tokens.size() ? i + 3 : i].is(";") || tokens[i + 3].is(","))) return value;
  }
  return std::nullopt;
}

std::optional<std::string> resolved(const std::string& words, bool is_type, const Files& application,
                                    const std::string& file) {
  if (is_type ? is_plain_type(words) : is_number(words)) return words;
  const auto text = application.find(file);
  if (text == application.end()) return std::nullopt;
  const bool is_name = std::ranges::all_of(words, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (is_name && is_bound(text->second, words)) return std::nullopt;
  if (is_type) return words;  // a type of the application: it is taken out with the kernel
  if (!is_name) return std::nullopt;
  if (auto known = constant_of(text->second, words)) return known;
  if (auto macro = host_macro(application, words, file); macro && is_number(macro->value)) return macro->value;
  return std::nullopt;
}

}  // namespace

TemplateKernel template_header(std::string_view text, ByteRange item) {
  TemplateKernel out;
  const auto own = text.substr(item.begin, item.end - item.begin);
  const auto tokens = host::tokens_of(own);
  if (tokens.size() < 3 || !tokens[0].is("template") || !tokens[1].is("<")) return out;
  const auto end = after_angle(tokens, 1);
  if (end == 0 || end >= tokens.size()) return out;
  out.header = {item.begin, item.begin + tokens[end].begin};
  for (const auto& [from, to] : parts(tokens, 2, end - 1)) {
    TemplateParameter parameter;
    auto equals = from;
    while (equals < to && !tokens[equals].is("=")) ++equals;
    if (equals < to) parameter.otherwise = text_between(own, tokens, equals + 1, to);
    parameter.is_type = tokens[from].is("typename") || tokens[from].is("class");
    if (equals - from < 2 || tokens[equals - 1].kind != Token::Kind::Word) return {};  // a pack, or without a name
    parameter.name = tokens[equals - 1].text;
    out.parameters.push_back(std::move(parameter));
  }
  return out;
}

TemplateKernel instance_of(const std::string& kernel, TemplateKernel of, const Files& application,
                           const std::string& near, const std::vector<std::int64_t>& local) {
  std::optional<Named> named;
  std::string file = near;
  if (const auto own = application.find(near); own != application.end())
    named = named_instance(kernel, near, own->second);
  for (auto it = application.begin(); it != application.end() && !named; ++it) {
    if (it->second.find(kernel) == std::string::npos) continue;
    named = named_instance(kernel, it->first, it->second);
    if (named) file = it->first;
  }
  if (named) of.place = named->place;
  for (std::size_t i = 0; i < of.parameters.size(); ++i) {
    auto& parameter = of.parameters[i];
    std::optional<std::string> value;
    if (named && i < named->arguments.size())
      value = resolved(named->arguments[i], parameter.is_type, application, file);
    if (!value && !parameter.otherwise.empty())
      value = resolved(parameter.otherwise, parameter.is_type, application, near);
    parameter.guessed = !value;
    parameter.value = value               ? *value
                      : parameter.is_type ? "float"
                                          : std::to_string(local.empty() ? 256 : local.front());
  }
  return of;
}

}  // namespace hone::source
