#include "patch/host_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "core/bindings.hpp"

namespace hone::patch {
namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); });
}

bool is_host(std::string_view name, std::string_view text) {
  return !ends_with_any(name, {".cl", ".clh", ".ocl", "/cl.h", "/opencl.h"}) && !is_opencl_bindings(name, text);
}

bool is_control_word(std::string_view word) {
  static constexpr std::array<std::string_view, 12> words = {"if",    "for",     "while",  "switch", "return", "sizeof",
                                                             "catch", "alignas", "delete", "throw",  "do",     "else"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

HostParameter parameter_of(const TokenRange& range) {
  HostParameter out;
  bool constant = false;
  bool indirect = false;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const auto text = range.file->at(i);
    if (text == "=" || text == "[") break;
    if (text == "const") constant = true;
    if (text == "&" || text == "*") indirect = true;
    if (range.file->word(i) && text != "const") out.name = std::string(text);
  }
  out.can_be_changed = indirect && !constant;
  return out;
}

/// Of a constructor: `name(parameters) : member{value}` and not yet its body.
bool initialises_member(const HostFile& file, std::size_t start, std::size_t brace) {
  if (brace == start || !(file.word(brace - 1) || file.is(brace - 1, ">"))) return false;
  for (std::size_t i = start + 1; i + 1 < brace; ++i)
    if (file.is(i, ":") && file.is(i - 1, ")") && !file.is(i + 1, ":")) return true;
  return false;
}

std::string_view last_part(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

const std::vector<std::size_t> nowhere;

}  // namespace

bool is_header(std::string_view name) {
  return ends_with_any(name, {".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".cuh"});
}

std::string HostFile::place(std::size_t i) const {
  return fmt::format("{}:{}", name, line_of(*text, i < tokens.size() ? tokens[i].begin : text->size()));
}

int HostFunction::parameter(std::string_view wanted) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const HostParameter& parameter) { return parameter.name == wanted; });
  return found == parameters.end() ? -1 : static_cast<int>(found - parameters.begin());
}

std::vector<TokenRange> arguments_at(const HostFile& file, std::size_t open) {
  std::vector<TokenRange> out;
  const std::size_t close = file.close(open);
  std::size_t first = open + 1;
  for (std::size_t i = open + 1; i < close; ++i) {
    const bool opens = file.is(i, "(") || file.is(i, "[") || file.is(i, "{");
    if (opens) i = std::min(file.close(i), close);
    if (i >= close || !file.is(i, ",")) continue;
    out.push_back({&file, first, i});
    first = i + 1;
  }
  if (first < close) out.push_back({&file, first, close});
  return out;
}

HostIndex::HostIndex(const Files& files) {
  for (const auto& [name, text] : files)
    if (is_host("/" + name, text)) files_.push_back({name, &text, tokens_of(text)});
  for (const auto& file : files_)
    for (std::size_t i = 0; i < file.tokens.size(); ++i) {
      if (file.word(i)) words_[&file][std::string(file.at(i))].push_back(i);
      if (file.tokens[i].kind != Token::Kind::Directive) continue;
      const auto line = file.at(i).substr(1);
      const auto tokens = tokens_of(line);
      std::set<std::string> seen;
      for (const auto& token : tokens)
        if (token.kind == Token::Kind::Word && seen.insert(std::string(text_of(token, line))).second)
          directive_words_[&file][std::string(text_of(token, line))].push_back(i);
      // `#include "x.c"` makes a header of any file.
      if (tokens.size() > 1 && text_of(tokens[0], line) == "include" && tokens[1].kind == Token::Kind::String) {
        const auto name = text_of(tokens[1], line);
        included_.emplace(last_part(name.substr(1, name.size() - 2)));
      }
    }
  for (const auto& file : files_) read_scope(file, 0, file.tokens.size());
  for (std::size_t f = 0; f < functions_.size(); ++f) functions_of_[functions_[f].file].push_back(f);
}

const std::vector<std::size_t>& HostIndex::places(const HostFile& file, std::string_view word) const {
  const auto& words = words_.find(&file);
  if (words == words_.end()) return nowhere;
  const auto found = words->second.find(word);
  return found == words->second.end() ? nowhere : found->second;
}

const std::vector<std::size_t>& HostIndex::directives(const HostFile& file, std::string_view word) const {
  const auto& words = directive_words_.find(&file);
  if (words == directive_words_.end()) return nowhere;
  const auto found = words->second.find(word);
  return found == words->second.end() ? nowhere : found->second;
}

/// A file, a namespace or a class: its functions.
void HostIndex::read_scope(const HostFile& file, std::size_t begin, std::size_t end) {
  std::size_t start = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (file.tokens[i].kind == Token::Kind::Directive || file.is(i, ";")) {
      start = i + 1;
    } else if (file.is(i, "(") || file.is(i, "[")) {
      i = std::min(file.close(i), end);
    } else if (file.is(i, "{") && initialises_member(file, start, i)) {
      i = std::min(file.close(i), end);
    } else if (file.is(i, "{")) {
      const std::size_t close = std::min(file.close(i), end);
      if (!add_function(file, start, i)) {
        bool scope = false;
        bool value = false;
        for (std::size_t t = start; t < i; ++t) {
          scope =
              scope || file.is(t, "namespace") || file.is(t, "class") || file.is(t, "struct") || file.is(t, "extern");
          value = value || file.is(t, "=");
        }
        if (scope && !value) read_scope(file, i + 1, close);
      }
      i = close;
      start = i + 1;
    }
  }
}

/// `type name(parameters) const : a(b) {`
bool HostIndex::add_function(const HostFile& file, std::size_t start, std::size_t brace) {
  for (std::size_t i = start; i < brace; ++i) {
    if (file.is(i, "=")) return false;
    if (!file.is(i, "(")) continue;
    const bool named = i > start && file.word(i - 1) && !is_control_word(file.at(i - 1)) &&
                       !file.is(i - 1, "__attribute__") && !file.is(i - 1, "decltype");
    if (!named) {
      i = file.close(i);
      continue;
    }
    HostFunction out;
    out.file = &file;
    out.name = std::string(file.at(i - 1));
    out.header = i - 1;
    out.open = brace;
    out.close = file.close(brace);
    for (const auto& argument : arguments_at(file, i)) out.parameters.push_back(parameter_of(argument));
    if (out.parameters.size() == 1 && out.parameters[0].name == "void") out.parameters.clear();
    for (std::size_t t = start; t < i; ++t) out.is_static = out.is_static || file.is(t, "static");
    out.local_to_file = out.is_static && !is_header(file.name) && !included_.contains(last_part(file.name));
    functions_.push_back(std::move(out));
    return true;
  }
  return false;
}

const HostFunction* HostIndex::around(const HostFile& file, std::size_t token) const {
  const auto here = functions_of_.find(&file);
  if (here == functions_of_.end()) return nullptr;
  const auto after = std::upper_bound(here->second.begin(), here->second.end(), token,
                                      [&](std::size_t t, std::size_t f) { return t <= functions_[f].open; });
  if (after == here->second.begin()) return nullptr;
  const auto& last = functions_[*std::prev(after)];
  return token < last.close ? &last : nullptr;
}

const HostFile* HostIndex::file(const std::string& name) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const HostFile& f) { return f.name == name; });
  return found == files_.end() ? nullptr : &*found;
}

}  // namespace hone::patch
