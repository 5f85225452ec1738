#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "agents/mend.hpp"
#include "base/text.hpp"

namespace hone::agents {
namespace {

const std::set<std::string> root_keys = {"format", "name", "rationale", "source", "schedule"};
const std::set<std::string> parameter_keys = {"name", "values", "default"};
const std::set<std::string> launch_keys = {"kernel", "global", "local"};
const std::set<std::string> lists = {"values", "global", "local", "schedule", "options"};
const std::set<std::string> words = {"name", "rationale", "source", "kernel"};

bool is_quoted(std::string_view text) {
  return text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
}
bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-+") == std::string_view::npos;
}

std::string without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote == 0 && line[i] == '#') return std::string(trim(line.substr(0, i)));
    if (line[i] == '"' || line[i] == '\'') quote = quote == 0 ? line[i] : quote == line[i] ? 0 : quote;
  }
  return std::string(trim(line));
}

/// Items of a list that commas part outside of parentheses and quotes.
std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> out(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (c == '"' || c == '\'') quote = quote == 0 ? c : quote == c ? 0 : quote;
    if (quote == 0 && (c == '(' || c == '[')) ++depth;
    if (quote == 0 && (c == ')' || c == ']')) --depth;
    if (c == ',' && depth == 0 && quote == 0)
      out.emplace_back();
    else
      out.back() += c;
  }
  for (auto& item : out) item = trim(item);
  std::erase(out, "");
  return out;
}

class ManifestMender {
 public:
  Mended run(const std::string& text) {
    std::string clean = text;
    for (const auto* quote : {"\u201c", "\u201d"}) clean = replace_all(clean, quote, "\"");
    if (clean != text) note("typographic quotes");
    for (const auto& line : split(clean, '\n')) one(line);
    return std::move(out_);
  }

 private:
  void note(const std::string& what) { out_.what.push_back(what); }
  void put(const std::string& line) { out_.text += line + "\n"; }

  void one(const std::string& raw) {
    const auto line = without_comment(raw);
    if (open_ > 0 || line.empty()) return continued(raw, line);
    if (line.starts_with("```")) return note("a fence inside the manifest");
    if (line.starts_with('[') && line.find('=') == std::string::npos) return header(line);
    auto equals = line.find('=');
    const auto colon = line.find(": ");
    if (equals == std::string::npos && colon != std::string::npos) equals = colon, note("a colon for an equals sign");
    if (equals == std::string::npos) return note("a line that is no `key = value`: " + line);
    entry(std::string(trim(line.substr(0, equals))), std::string(trim(line.substr(equals + 1))));
  }

  /// Inside a list over several lines nothing is touched.
  void continued(const std::string& raw, const std::string& line) {
    for (const char c : line) open_ += c == '[' ? 1 : c == ']' ? -1 : 0;
    put(raw);
  }

  void header(const std::string& line) {
    table_ = line;
    std::erase_if(table_, [](char c) { return c == '[' || c == ']' || c == ' '; });
    if (table_ == "parameters" || table_ == "launches" || table_ == "constraint" || table_ == "resource") {
      const auto meant = table_ == "parameters" ? "parameter" : table_ == "launches" ? "launch" : table_ + "s";
      note(fmt::format("[{}] is [{}]", table_, meant));
      table_ = meant;
    }
    const bool several = table_ == "parameter" || table_ == "launch";
    const auto meant = several ? "[[" + table_ + "]]" : "[" + table_ + "]";
    if (line != meant) note(line + " is " + meant);
    values_.clear();
    put(meant);
  }

  bool is_known(const std::string& key) const {
    if (table_.empty()) return root_keys.contains(key);
    if (table_ == "parameter") return parameter_keys.contains(key);
    if (table_ == "launch") return launch_keys.contains(key);
    return table_ != "build" || key == "options";
  }

  void entry(std::string key, std::string value) {
    if (!is_known(key)) {
      open_ = 0;
      return note("the key `" + key + "`, which is none, left out");
    }
    if (value.empty()) return put(key + " =");  // what was meant is not there
    if (value.ends_with(',')) value.pop_back(), note("a comma at the end of a line");
    if (value.starts_with('[') && !value.ends_with(']')) {
      put(key + " = " + value);
      for (const char c : value) open_ += c == '[' ? 1 : c == ']' ? -1 : 0;
      return;
    }
    if (lists.contains(key)) return list(key, value);
    if (key == "default") return chosen(value);
    const bool plain = is_quoted(value) || (is_number(value) && !words.contains(key));
    if (!plain && (words.contains(key) || table_ == "constraints" || table_ == "resources")) {
      note("quotes around the value of `" + key + "`");
      value = "\"" + replace_all(value, "\"", "'") + "\"";
    }
    put(key + " = " + value);
  }

  void list(const std::string& key, std::string value) {
    if (!value.starts_with('[')) {
      // A whole list in quotes, or one item without its brackets.
      if (is_quoted(value) && key == "values") value = value.substr(1, value.size() - 2);
      if (value.starts_with('(') && value.ends_with(')') && key == "values") value = value.substr(1, value.size() - 2);
      if (!value.starts_with('[')) value = "[" + value + "]";
      note("brackets around the list `" + key + "`");
    }
    auto items = items_of(value.substr(1, value.size() - 2));
    bool quoted = false;
    for (auto& item : items)
      if (!is_quoted(item) && !is_number(item) && item != "true" && item != "false")
        item = "\"" + replace_all(item, "\"", "'") + "\"", quoted = true;
    if (quoted) note("quotes around items of `" + key + "`");
    if (key == "values") {
      values_ = items;
      values_at_ = out_.text.size();
    }
    put(key + " = [" + join(items, ", ") + "]");
  }

  /// A default that is none of the values is one that was forgotten.
  void chosen(const std::string& value) {
    if (!values_.empty() && std::find(values_.begin(), values_.end(), value) == values_.end()) {
      note("the default " + value + " added to the values");
      values_.push_back(value);
      const auto end = out_.text.find('\n', values_at_);
      out_.text.replace(values_at_, end - values_at_, "values = [" + join(values_, ", ") + "]");
    }
    put("default = " + value);
  }

  Mended out_;
  std::string table_;
  std::vector<std::string> values_;
  std::size_t values_at_ = 0;
  int open_ = 0;
};

}  // namespace

Mended mend_manifest(const std::string& manifest) { return ManifestMender().run(manifest); }

}  // namespace hone::agents
