// Where a kernel's own name stands in a tree: its definitions, and the launches that name it directly.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.hpp"
#include "patch/host_index.hpp"
#include "patch/kernel_flow.hpp"
#include "patch/launch_site.hpp"

namespace hone::patch {
namespace {

/// The token behind `<float, 256>` that begins at `at`; `at` itself where there is none.
std::size_t behind_arguments(const HostFile& file, std::size_t at) {
  if (!file.is(at, "<")) return at;
  int depth = 0;
  for (auto i = at; i < file.tokens.size() && !file.is(i, ";") && !file.is(i, "{"); ++i) {
    depth += file.is(i, "<") ? 1 : file.is(i, ">") ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return at;
}

/// The launching function whose first argument the name at `at` is part of.
std::optional<std::size_t> launcher_of(const HostFile& file, std::size_t at) {
  constexpr std::size_t kFurthest = 16;  // casts and brackets stand between
  for (std::size_t i = at; i-- > 0 && at - i < kFurthest && !file.is(i, ";") && !file.is(i, ",");)
    if (std::ranges::find(kLaunchers, file.at(i)) != kLaunchers.end() && file.is(i + 1, "(")) return i;
  return std::nullopt;
}

}  // namespace

ChevronUses chevrons_in(const Files& files, const std::string& kernel) {
  ChevronUses out;
  const HostIndex index(files);
  for (const auto& file : index.files())
    for (std::size_t i = 0; i < file.tokens.size(); ++i) {
      if (file.tokens[i].kind == Token::Kind::Directive && file.at(i).find(kernel) != std::string_view::npos)
        out.elsewhere = file.place(i);
      if (!file.word(i) || file.at(i) != kernel) continue;
      if (const auto launcher = launcher_of(file, i)) {
        const auto close = file.close(*launcher + 1);
        PassingKernels launch{file.name, {file.tokens[*launcher].begin, 0}, file.place(i), true, {kernel}, {}};
        launch.call.end = close < file.tokens.size() ? file.tokens[close].end : file.text->size();
        out.launches.push_back(std::move(launch));
      } else if (auto open = behind_arguments(file, i + 1); file.is(open, "<<<")) {
        while (open < file.tokens.size() && !file.is(open, ">>>")) ++open;
        const std::size_t close = file.is(open + 1, "(") ? file.close(open + 1) : file.tokens.size();
        PassingKernels launch{file.name, {file.tokens[i].begin, 0}, file.place(i), true, {kernel}, {}};
        launch.call.end = close < file.tokens.size() ? file.tokens[close].end : file.text->size();
        out.launches.push_back(std::move(launch));
      } else if (index.around(file, i) != nullptr) {
        out.elsewhere = file.place(i);
      }
    }
  return out;
}

namespace {

/// `__kernel`, `kernel`, `__global__` or a macro that says so, in the words before a name; comments and the seams of
/// string literals do not count.
bool heads_a_kernel(std::string head) {
  head = replace_all(replace_all(std::move(head), "\\n", " "), "\"", " ");
  for (const auto& token : tokens_of(head)) {
    const auto word = text_of(token, head);
    if (token.kind != Token::Kind::Word) continue;
    if (word == "kernel" || word == "__kernel" || word == "__global__" || word.find("KERNEL") != std::string_view::npos)
      return true;
  }
  return false;
}

bool is_definition(const std::string& text, std::size_t open) {
  int depth = 0;
  std::size_t close = open;
  for (; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  // Over the seams of string literals: ")\n" and the next line's quote.
  std::size_t body = close + 1;
  while (body < text.size() && (std::isspace(static_cast<unsigned char>(text[body])) != 0 || text[body] == '"' ||
                                (text[body] == '\\' && body + 1 < text.size())))
    body += text[body] == '\\' ? 2 : 1;
  return body < text.size() && text[body] == '{';
}

bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::vector<std::string> definitions_of(const Files& files, const std::string& kernel) {
  std::vector<std::string> out;
  for (const auto& [name, text] : files) {
    for (auto at = text.find(kernel); at != std::string::npos; at = text.find(kernel, at + 1)) {
      const auto end = at + kernel.size();
      if ((at > 0 && in_identifier(text[at - 1])) || (end < text.size() && in_identifier(text[end]))) continue;
      const auto open = text.find_first_not_of(" \t\r\n", end);
      if (open == std::string::npos || text[open] != '(') continue;
      const auto before = at == 0 ? std::string::npos : text.find_last_of(";{}", at - 1);
      const auto start = before == std::string::npos ? 0 : before + 1;
      if (heads_a_kernel(text.substr(start, at - start)) && is_definition(text, open))
        out.push_back(fmt::format("{}:{}", name, line_of(text, at)));
    }
  }
  return out;
}

}  // namespace hone::patch
