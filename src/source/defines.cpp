#include "source/defines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "source/device_text.hpp"
#include "source/host/read.hpp"

namespace hone::source {
namespace {

std::size_t shared_prefix(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Files that may say something about a name, nearest first.
std::vector<const std::pair<const std::string, std::string>*> files_naming(const Files& application,
                                                                           const std::string& name,
                                                                           const std::string& near) {
  std::vector<const std::pair<const std::string, std::string>*> out;
  for (const auto& file : application) {
    if (host::is_host_file(file.first) && file.second.find(name) != std::string::npos) out.push_back(&file);
  }
  std::ranges::stable_sort(out, std::greater{}, [&](const auto* file) { return shared_prefix(file->first, near); });
  return out;
}

bool is_plain_value(std::string_view value) {
  return !value.empty() && std::ranges::all_of(value, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.+-*/()<> ").find(c) != std::string_view::npos;
  });
}

/// Numbers, operators and types: nothing that only host code, or another language, knows.
bool says_a_value(const std::string& value) {
  for (const auto& token : host::tokens_of(value, false)) {
    if (token.kind == host::Token::Kind::Word && !host::is_keyword(token.text)) return false;
  }
  return !value.empty();
}

/// Before another type it is a qualifier, else a type.
std::string type_or_qualifier(const std::string& name, const std::string& text) {
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || tokens[i + 1].kind != host::Token::Kind::Word) continue;
    if (tokens[i + 2].kind != host::Token::Kind::Word && !tokens[i + 2].is("*")) continue;
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("GLOBAL") || has("global")) return "__global";
    if (has("LOCAL") || has("local")) return "__local";
    if (has("CONST") || has("const")) return "__constant";
    return "inline";
  }
  return "float";
}

}  // namespace

std::vector<Define> option_defines(const std::vector<const ProgramText*>& programs) {
  std::vector<Define> out;
  for (const auto* program : programs) {
    for (auto& define : hone::host::defines_of(*program)) {
      const auto same = [&](const Define& d) { return d.name == define.name; };
      if (std::ranges::none_of(out, same)) out.push_back(std::move(define));
    }
  }
  return out;
}

std::vector<std::string> compiler_options(const std::vector<const ProgramText*>& programs) {
  static const std::set<std::string, std::less<>> known = {"-cl-mad-enable",
                                                           "-cl-fast-relaxed-math",
                                                           "-cl-no-signed-zeros",
                                                           "-cl-unsafe-math-optimizations",
                                                           "-cl-finite-math-only",
                                                           "-cl-denorms-are-zero",
                                                           "-cl-single-precision-constant",
                                                           "-cl-fp32-correctly-rounded-divide-sqrt",
                                                           "-cl-opt-disable",
                                                           "-cl-strict-aliasing",
                                                           "-cl-uniform-work-group-size"};
  for (const auto* program : programs) {
    if (!program->options) continue;
    std::vector<std::string> out;
    for (auto& word : split(replace_all(*program->options, "\"", ""), ' '))
      if (word.starts_with("-cl-std=CL") || known.contains(word)) out.push_back(std::move(word));
    return out;  // the first that is known speaks for the text
  }
  return {};
}

std::vector<std::string> include_folders(const std::vector<const ProgramText*>& programs) {
  std::vector<std::string> out;
  for (const auto* program : programs) {
    if (!program->options) continue;
    const auto words = split(replace_all(*program->options, "\"", ""), ' ');
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!words[i].starts_with("-I")) continue;
      auto folder = words[i].substr(2);
      if (folder.empty() && i + 1 < words.size()) folder = words[++i];
      if (folder.starts_with("./")) folder = folder.substr(2);
      if (!folder.empty() && folder != "." && std::ranges::find(out, folder) == out.end()) out.push_back(folder);
    }
  }
  return out;
}

std::optional<Define> host_macro(const Files& application, const std::string& name, const std::string& near) {
  for (const auto* file : files_naming(application, name, near)) {
    for (const auto& token : host::tokens_of(file->second)) {
      if (token.kind != host::Token::Kind::Directive || token.text.find(name) == std::string_view::npos) continue;
      const auto macro = host::macro_of(token.text);
      if (!macro || macro->name != name || macro->takes_arguments || macro->body.empty()) continue;
      const auto place = fmt::format("{}:{}", file->first, line_of(file->second, token.begin));
      if (macro->body.find('"') != std::string::npos || macro->body.find('\n') != std::string::npos) continue;
      // What its own value is made of is looked up there too, a few steps deep.
      host::Macros all;
      host::add_macros(file->second, all);
      const std::string value(trim(host::expand_all(macro->body, all, {name})));
      if (!says_a_value(value)) continue;
      return Define{name, value, place, true, {Provenance::Kind::Inferred, place}};
    }
  }
  return std::nullopt;
}

std::optional<Define> define_in_strings(const Files& application, const std::string& name) {
  for (const auto& [path, text] : application) {
    for (const auto& start : std::vector<std::string>{"-D" + name + "=", "-D " + name + "=", "#define " + name + " "}) {
      for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
        auto end = at + start.size();
        while (end < text.size() && std::string_view(" \"\\\n\t%;'").find(text[end]) == std::string_view::npos) ++end;
        const auto value = text.substr(at + start.size(), end - at - start.size());
        const auto line = text.rfind('\n', at);
        const bool quoted = text.find('"', line == std::string::npos ? 0 : line) < at;
        if (!quoted || !is_plain_value(value) || !says_a_value(value)) continue;
        const auto place = fmt::format("{}:{}", path, line_of(text, at));
        return Define{name, value, place, true, {Provenance::Kind::Inferred, place}};
      }
    }
  }
  return std::nullopt;
}

std::optional<Define> build_file_define(const std::vector<BuildDefine>& all, const std::string& name,
                                        const std::string& near) {
  const BuildDefine* best = nullptr;
  for (const auto& define : all) {
    if (define.name != name) continue;
    if (best == nullptr || shared_prefix(define.folder, near) > shared_prefix(best->folder, near)) best = &define;
  }
  if (best == nullptr) return std::nullopt;
  return Define{name, best->value, best->place, true, {Provenance::Kind::Inferred, best->place}};
}

Define define_by_use(const MissingName& missing, const std::string& text, const std::vector<std::int64_t>& local) {
  Define out;
  out.name = missing.name;
  out.inferred = true;
  out.provenance = {Provenance::Kind::Guessed, {}};
  if (missing.as == MissingName::As::Type) {
    out.value = type_or_qualifier(missing.name, text);
    return out;
  }
  std::int64_t value = 16;
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens[i].is(missing.name)) continue;
    const auto& before = tokens[i - 1];
    if (before.is("<<") || before.is(">>")) value = 4;
    const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
    if (called) {
      // Nothing says what it does; a function of one argument is taken to give it back.
      const auto end = host::after_matching(tokens, i + 1, tokens.size());
      const auto count = host::arguments_between(tokens, i + 1, end, text).size();
      out.name += count == 1 ? "(x)" : "(...)";
      out.value = count == 1 ? "(x)" : "0";
      return out;
    }
  }
  const bool about_groups = std::ranges::any_of(
      std::vector<std::string>{"BLOCK", "LOCAL", "GROUP", "WG", "TILE", "SIZE", "block", "local", "group"},
      [&](const std::string& word) { return missing.name.find(word) != std::string::npos; });
  if (about_groups && !local.empty() && local.front() > 0) value = local.front();
  out.value = std::to_string(value);
  return out;
}

}  // namespace hone::source
