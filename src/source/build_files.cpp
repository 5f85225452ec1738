#include "source/build_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.hpp"

namespace hone::source {
namespace {

using Variables = std::map<std::string, std::string>;

std::string file_name(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// $(X) and ${X} by what was assigned; what is not known stays.
std::string expanded(const std::string& text, const Variables& variables, int depth = 0) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '(' || text[i + 1] == '{');
    if (!opens || depth > 8 || out.size() > 65536) {
      out += text[i];
      continue;
    }
    const auto close = text.find(text[i + 1] == '(' ? ')' : '}', i);
    if (close == std::string::npos) return out + text.substr(i);
    const auto found = variables.find(text.substr(i + 2, close - i - 2));
    if (found != variables.end())
      out += expanded(found->second, variables, depth + 1);
    else
      out += text.substr(i, close + 1 - i);
    i = close;
  }
  return out;
}

/// Lines with their continuations, and the number of the first.
std::vector<std::pair<std::size_t, std::string>> whole_lines(const std::string& text) {
  std::vector<std::pair<std::size_t, std::string>> out;
  std::size_t number = 0;
  std::string held;
  std::size_t begun = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (held.empty()) begun = number;
    if (!line.empty() && line.back() == '\\') {
      held += line.substr(0, line.size() - 1) + " ";
      continue;
    }
    out.emplace_back(begun, held + line);
    held.clear();
  }
  if (!held.empty()) out.emplace_back(begun, held);
  return out;
}

class BuildReader {
 public:
  BuildReader(const std::string& path, std::vector<BuildDefine>& out) : path_(path), out_(out) {}

  void make(const std::string& text) {
    for (const auto& [number, whole] : whole_lines(text)) {
      const auto hash = whole.find(" #");
      const std::string line(trim(whole.substr(0, hash)));
      if (line.empty() || line[0] == '#' || condition(line)) continue;
      if (std::ranges::find(active_, false) != active_.end()) continue;
      if (whole[0] != '\t') assign(line);
      words(expanded(line, variables_), number);
    }
  }

  void cmake(const std::string& text) {
    std::size_t number = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') ++number;
      if (text[at] == '#') {
        at = std::min(text.find('\n', at), text.size()) - 1;
        continue;
      }
      if (text[at] != '(') continue;
      auto begin = at;
      while (begin > 0 && (in_name(text[begin - 1]) || text[begin - 1] == ' ')) --begin;
      std::string command(trim(text.substr(begin, at - begin)));
      std::ranges::transform(command, command.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const auto close = text.find(')', at);
      if (close == std::string::npos) return;
      const auto inside = expanded(text.substr(at + 1, close - at - 1), variables_);
      const bool bare = command == "target_compile_definitions" || command == "add_compile_definitions";
      if (command == "set" || command == "option") remember(inside);
      const auto words_inside = trim(inside);
      const auto target = command.starts_with("target") ? words_inside.find_first_of(" \n") : 0;
      if (bare)
        definitions(std::string(words_inside.substr(std::min(target, words_inside.size()))), number);
      else if (command != "if" && command != "elseif")
        words(inside, number);
    }
  }

 private:
  /// True when the line is one of a conditional.
  bool condition(const std::string& line) {
    const auto starts = [&](std::string_view word) { return line.starts_with(word); };
    if (starts("ifeq") || starts("ifneq")) {
      const auto text = expanded(line.substr(line.find('e') + 2), variables_);
      auto inside = std::string(trim(text));
      std::string a;
      std::string b;
      if (inside.starts_with("(")) {
        const auto comma = inside.find(',');
        const auto close = inside.rfind(')');
        if (comma != std::string::npos && close != std::string::npos && close > comma) {
          a = std::string(trim(inside.substr(1, comma - 1)));
          b = std::string(trim(inside.substr(comma + 1, close - comma - 1)));
        }
      }
      active_.push_back((a == b) == starts("ifeq"));
      return true;
    }
    if (starts("ifdef ") || starts("ifndef ")) {
      const std::string name(trim(line.substr(line.find(' '))));
      active_.push_back(variables_.contains(name) == starts("ifdef"));
      return true;
    }
    if (starts("else")) {
      if (!active_.empty()) active_.back() = !active_.back();
      return true;
    }
    if (starts("endif")) {
      if (!active_.empty()) active_.pop_back();
      return true;
    }
    return false;
  }

  void assign(const std::string& line) {
    const auto equals = line.find('=');
    if (equals == std::string::npos || equals == 0) return;
    const char kind = line[equals - 1];
    const bool marked = kind == '?' || kind == ':' || kind == '+';
    const std::string name(trim(line.substr(0, marked ? equals - 1 : equals)));
    if (!is_identifier(name)) return;
    const std::string value(trim(line.substr(equals + 1)));
    if (kind == '+')
      variables_[name] += " " + value;
    else if (kind == '?')
      variables_.try_emplace(name, value);
    else
      variables_[name] = kind == ':' ? expanded(value, variables_) : value;
  }

  void remember(const std::string& inside) {
    const auto parts = split(replace_all(inside, "\n", " "), ' ');
    if (parts.size() > 1 && is_identifier(parts[0])) variables_.try_emplace(parts[0], replace_all(parts[1], "\"", ""));
  }

  void words(const std::string& line, std::size_t number) {
    for (auto at = line.find("-D"); at != std::string::npos; at = line.find("-D", at + 2)) {
      if (at > 0 && (in_name(line[at - 1]) || line[at - 1] == '-')) continue;
      auto begin = at + 2;
      while (begin < line.size() && line[begin] == ' ') ++begin;
      auto end = begin;
      while (end < line.size() && std::string_view(" \t\n\"';)").find(line[end]) == std::string_view::npos) ++end;
      add(line.substr(begin, end - begin), number);
    }
  }

  void definitions(const std::string& inside, std::size_t number) {
    for (const auto& word : split(replace_all(inside, "\n", " "), ' ')) {
      if (word.empty() || word == "PRIVATE" || word == "PUBLIC" || word == "INTERFACE") continue;
      add(word.starts_with("-D") ? word.substr(2) : word, number);
    }
  }

  void add(const std::string& text, std::size_t number) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    const auto value = equals == std::string::npos ? "1" : text.substr(equals + 1);
    if (!is_identifier(name) || value.find_first_of("$<\\\"") != std::string::npos) return;
    const auto slash = path_.rfind('/');
    out_.push_back(
        {name, value, slash == std::string::npos ? "" : path_.substr(0, slash), fmt::format("{}:{}", path_, number)});
  }

  const std::string& path_;
  std::vector<BuildDefine>& out_;
  Variables variables_;
  std::vector<bool> active_;
};

}  // namespace

bool is_build_file(const std::string& path) {
  const auto name = file_name(path);
  return name == "CMakeLists.txt" || name.starts_with("Makefile") || name.starts_with("makefile") ||
         name == "GNUmakefile" || name.ends_with(".mk") || name.ends_with(".cmake") || name == "compile_commands.json";
}

std::vector<BuildDefine> build_defines(const Files& application) {
  std::vector<BuildDefine> out;
  for (const auto& [path, text] : application) {
    if (!is_build_file(path) || text.size() > (1U << 20U)) continue;
    const auto name = file_name(path);
    BuildReader reader(path, out);
    if (name == "CMakeLists.txt" || name.ends_with(".cmake"))
      reader.cmake(text);
    else if (name != "compile_commands.json")
      reader.make(text);
  }
  return out;
}

}  // namespace hone::source
