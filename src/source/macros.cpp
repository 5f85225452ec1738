#include "source/macros.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::source::host {
namespace {

constexpr std::size_t longest_expansion = 1U << 20U;
constexpr std::size_t deepest_expansion = 24;

std::string without_continuations(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text.substr(i, 2) == "\\\n" || text.substr(i, 3) == "\\\r\n";
    if (!ends) {
      out += text[i];
      continue;
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    out += '\n';
    i += text[i + 1] == '\r' ? 2 : 1;
  }
  return out;
}

std::optional<std::size_t> parameter_at(const Macro& macro, const Token& token) {
  if (token.kind != Token::Kind::Word) return std::nullopt;
  const auto found = std::ranges::find(macro.parameters, token.text);
  if (found == macro.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - macro.parameters.begin());
}

}  // namespace

std::optional<Macro> macro_of(std::string_view directive) {
  if (directive.empty() || directive[0] != '#') return std::nullopt;
  const auto text = without_continuations(directive.substr(1));
  const auto tokens = tokens_of(text, false);
  if (tokens.size() < 2 || !tokens[0].is("define") || tokens[1].kind != Token::Kind::Word) return std::nullopt;
  Macro out;
  out.name = std::string(tokens[1].text);
  std::size_t body = tokens[1].end;
  if (tokens.size() > 2 && tokens[2].is("(") && tokens[2].begin == tokens[1].end) {
    out.takes_arguments = true;
    const auto end = after_matching(tokens, 2, tokens.size());
    for (std::size_t i = 3; i + 1 < end; ++i) {
      if (tokens[i].is("...")) {
        out.variadic = true;
        if (tokens[i - 1].kind != Token::Kind::Word) out.parameters.emplace_back("__VA_ARGS__");
      } else if (tokens[i].kind == Token::Kind::Word) {
        out.parameters.emplace_back(tokens[i].text);
      }
    }
    body = tokens[end - 1].end;
  }
  out.body = std::string(trim(std::string_view(text).substr(body)));
  return out;
}

void add_macros(std::string_view text, Macros& into) {
  for (const auto& token : tokens_of(text)) {
    if (token.kind != Token::Kind::Directive) continue;
    if (auto macro = macro_of(token.text)) into.try_emplace(macro->name, std::move(*macro));
  }
}

std::vector<std::string> arguments_between(const Tokens& tokens, std::size_t open, std::size_t end,
                                           std::string_view text) {
  std::vector<std::string> out;
  const auto close = end - 1;
  std::size_t from = tokens[open].end;
  for (std::size_t i = open + 1; i < close;) {
    if (tokens[i].is("(")) {
      i = std::max(after_matching(tokens, i, close), i + 1);
      continue;
    }
    if (tokens[i].is(",")) {
      out.emplace_back(trim(text.substr(from, tokens[i].begin - from)));
      from = tokens[i].end;
    }
    ++i;
  }
  out.emplace_back(trim(text.substr(from, tokens[close].begin - from)));
  return out;
}

std::string stringized(std::string_view argument) {
  std::string out = "\"";
  std::size_t last = 0;
  bool first = true;
  for (const auto& token : tokens_of(argument)) {
    if (!first && token.begin > last) out += ' ';
    const bool quoted = token.kind == Token::Kind::String || token.kind == Token::Kind::Character;
    for (const char c : token.text) {
      if (quoted && (c == '"' || c == '\\')) out += '\\';
      out += c;
    }
    last = token.end;
    first = false;
  }
  return out + "\"";
}

std::string expand_once(const Macro& macro, const std::vector<std::string>& given) {
  auto arguments = given;
  if (macro.variadic && arguments.size() > macro.parameters.size() && !macro.parameters.empty()) {
    auto& rest = arguments[macro.parameters.size() - 1];
    for (std::size_t i = macro.parameters.size(); i < arguments.size(); ++i) rest += ", " + arguments[i];
  }
  arguments.resize(macro.parameters.size());
  const auto tokens = tokens_of(macro.body, false);
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const bool pasted = i > 0 && tokens[i - 1].is("##");
    if (!pasted && !token.is("##")) out += std::string_view(macro.body).substr(at, token.begin - at);
    at = token.end;
    if (token.is("##")) continue;
    const bool hash = token.is("#") && i + 1 < tokens.size() && parameter_at(macro, tokens[i + 1]);
    if (hash) {
      out += stringized(arguments[*parameter_at(macro, tokens[i + 1])]);
      at = tokens[++i].end;
    } else if (const auto parameter = parameter_at(macro, token)) {
      out += arguments[*parameter];
    } else {
      out += token.text;
    }
    if (out.size() > longest_expansion) return out;
  }
  return out;
}

namespace {

std::string expand_within(std::string_view text, const Macros& macros, const std::set<std::string>& hidden,
                          std::size_t& budget) {
  if (hidden.size() > deepest_expansion) return std::string(text);
  const auto tokens = tokens_of(text);
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    out += text.substr(at, token.begin - at);
    at = token.end;
    const auto found = token.kind == Token::Kind::Word ? macros.find(token.text) : macros.end();
    const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
    const bool plain =
        found == macros.end() || hidden.contains(found->first) || (found->second.takes_arguments && !called);
    if (plain || budget == 0 || out.size() > longest_expansion) {
      out += token.text;
      continue;
    }
    --budget;
    auto deeper = hidden;
    deeper.insert(found->first);
    std::vector<std::string> arguments;
    if (found->second.takes_arguments) {
      const auto end = after_matching(tokens, i + 1, tokens.size());
      arguments = arguments_between(tokens, i + 1, end, text);
      // Arguments are expanded before they go in, unless `#` or `##` takes them as written.
      if (found->second.body.find('#') == std::string::npos)
        for (auto& argument : arguments) argument = expand_within(argument, macros, hidden, budget);
      i = end - 1;
      at = tokens[i].end;
    }
    out += expand_within(expand_once(found->second, arguments), macros, deeper, budget);
  }
  out += text.substr(at);
  return out;
}

}  // namespace

std::string expand_all(std::string_view text, const Macros& macros, const std::set<std::string>& hidden) {
  std::size_t budget = 20000;  // macros that expand to nothing cost time all the same
  return expand_within(text, macros, hidden, budget);
}

std::optional<std::string> string_value(std::string_view text, const Macros& macros) {
  const auto expanded = expand_all(text, macros);
  Decoded decoded;
  const auto tokens = tokens_of(expanded);
  for (const auto& token : tokens) {
    if (token.kind != Token::Kind::String && token.kind != Token::Kind::RawString) return std::nullopt;
    decode(token, decoded);
  }
  if (tokens.empty()) return std::nullopt;
  return std::move(decoded.text);
}

}  // namespace hone::source::host
