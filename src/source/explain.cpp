#include "source/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.hpp"
#include "source/device_text.hpp"

namespace hone::source {
namespace {

struct Mention {
  std::size_t at = 0;
  std::string name;  // of the kernel that seems to follow
};

/// `__kernel void NAME(`, `kernel void NAME(`, `__global__ ... NAME(` as a search by words sees them.
std::vector<Mention> mentions_in(const std::string& text) {
  std::vector<Mention> out;
  for (const std::string_view word : {"__kernel", "kernel", "__global__"}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
      const auto end = at + word.size();
      if ((at > 0 && in_name(text[at - 1])) || (end < text.size() && in_name(text[end]))) continue;
      if (end >= text.size() || std::isspace(static_cast<unsigned char>(text[end])) == 0) continue;
      const auto open = text.find('(', end);
      const auto stop = text.find_first_of(";{}", end);
      if (open == std::string::npos || open - end > 300 || stop < open) continue;
      const auto head = text.substr(end, open - end);
      if (word == "kernel" && !trim(head).starts_with("void")) continue;
      if (head.find("void") == std::string::npos) continue;
      auto last = open;
      while (last > end && std::isspace(static_cast<unsigned char>(text[last - 1])) != 0) --last;
      auto first = last;
      while (first > end && in_name(text[first - 1])) --first;
      if (first == last) continue;
      out.push_back({at, text.substr(first, last - first)});
    }
  }
  return out;
}

/// Under `#if 0`, as far as lines tell.
bool stands_under_if_zero(const host::Tokens& tokens, std::size_t at) {
  std::vector<bool> off;
  for (const auto& token : tokens) {
    if (token.begin >= at) break;
    if (token.kind != host::Token::Kind::Directive) continue;
    const auto word = std::string(trim(token.text.substr(1)));
    if (word.starts_with("if"))
      off.push_back(word == "if 0" || word.starts_with("if 0 ") || word.starts_with("if (0)"));
    if (word.starts_with("el") && !off.empty()) off.back() = false;
    if (word.starts_with("endif") && !off.empty()) off.pop_back();
  }
  return std::ranges::find(off, true) != off.end();
}

std::string reason(const std::string& path, const std::string& text, const host::Tokens& tokens,
                   const Mention& mention) {
  if (host::is_document(path)) return "stands in a document";
  const auto token =
      std::ranges::find_if(tokens, [&](const host::Token& t) { return t.begin <= mention.at && mention.at < t.end; });
  if (token == tokens.end()) return "stands in a comment";
  if (token->kind == host::Token::Kind::Directive) return "stands in a macro that nothing invokes at the top level";
  if (stands_under_if_zero(tokens, mention.at)) return "stands under #if 0";
  const auto open = text.find('(', mention.at);
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      const auto next = text.find_first_not_of(" \t\r\n)", i);
      if (next != std::string::npos && text[next] == ';') return "is declared there, not defined";
      break;
    }
  }
  if (token->kind == host::Token::Kind::String) return "stands in a string that is no device code by itself";
  return "was not understood";
}

}  // namespace

std::vector<std::string> explain_unlisted(const Files& application, const std::vector<FoundKernel>& listed) {
  std::vector<std::string> out;
  std::map<std::string, std::vector<const FoundKernel*>> by_file;
  for (const auto& kernel : listed) by_file[kernel.file].push_back(&kernel);
  for (const auto& [path, text] : application) {
    const auto mentions = mentions_in(text);
    if (mentions.empty()) continue;
    const auto& here = by_file[path];
    std::optional<host::Tokens> tokens;
    for (const auto& mention : mentions) {
      const bool known = std::ranges::any_of(here, [&](const FoundKernel* kernel) {
        return (kernel->range.begin <= mention.at + 1 && mention.at < kernel->range.end) ||
               (kernel->name == mention.name && mention.at + 200 > kernel->range.begin &&
                mention.at < kernel->range.end);
      });
      if (known) continue;
      if (!tokens) tokens = host::tokens_of(text);
      out.push_back(fmt::format("{}:{}: {} is not listed: it {}", path, line_of(text, mention.at), mention.name,
                                reason(path, text, *tokens, mention)));
    }
  }
  return out;
}

}  // namespace hone::source
