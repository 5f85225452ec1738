// Regions that are no plain literals: a block between a macro's brackets, Python's strings; and text that is put back
// where a macro stands for several of its lines.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "patch/region.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

bool has_directive(std::string_view text) {
  for (const auto& line : lines_of(text))
    if (trim(line).starts_with("#")) return true;
  return false;
}

/// A comma that no round bracket holds: the macro would take what follows for another argument.
bool has_bare_comma(std::string_view text) {
  int depth = 0;
  for (const auto& token : tokens_of(text)) {
    const auto word = text_of(token, text);
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (word == "," && depth <= 0) return true;
  }
  return false;
}

int bracket_depth(std::string_view text) {
  int depth = 0;
  for (const auto& token : tokens_of(text)) {
    const auto word = text_of(token, text);
    depth += word == "(" || word == "{" ? 1 : word == ")" || word == "}" ? -1 : 0;
  }
  return depth;
}

/// Ends between two declarations, not in one.
bool ends_whole(std::string_view text) {
  const auto tokens = tokens_of(text);
  if (tokens.empty()) return true;
  const auto last = text_of(tokens.back(), text);
  return bracket_depth(text) == 0 && (last == "}" || last == ";");
}

}  // namespace

/// The innermost brackets around the place: a kernel stands in no others inside of the block.
Status Region::find_block(std::size_t at) {
  const auto tokens = tokens_of(file_);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].begin < at; ++i) {
    const auto word = text_of(tokens[i], file_);
    if (word == "(") open.push_back(i);
    if (word == ")" && !open.empty()) open.pop_back();
  }
  if (open.empty() || open.back() == 0)
    return fail("E-ORIGIN", fmt::format("no macro's brackets around line {}", line_of(file_, at)));
  const auto bracket = open.back();
  const auto close = closing(tokens, file_, bracket);
  macro_ = std::string(text_of(tokens[bracket - 1], file_));
  std::size_t begin = tokens[bracket].end;
  if (bracket + 2 < tokens.size() && tokens[bracket + 1].kind == Token::Kind::Word &&
      text_of(tokens[bracket + 2], file_) == ",") {
    begin = tokens[bracket + 2].end;
    macro_.clear();  // SOURCE(name, ...) cannot be opened a second time
  }
  decode_plain(begin, close < tokens.size() ? tokens[close].begin : file_.size());
  const auto variadic = file_.find("define " + macro_ + "(...)") != std::string::npos;
  takes_commas_ = variadic || has_bare_comma(text_);
  return {};
}

/// Changes that touch what a macro stands for take all of it.
std::vector<LineChange> Region::whole_changes(std::vector<LineChange> changes) const {
  if (holes_.empty() || changes.empty()) return changes;
  std::vector<std::pair<std::size_t, std::size_t>> spans;  // lines of the text that one place stands for
  std::size_t line = 0;
  for (std::size_t i = 0; i < places_.size();) {
    const auto first = line;
    auto end = i;
    const bool wide = i + 1 < places_.size() && places_[i + 1] == places_[i];
    while (end < places_.size() && (end == i || (wide && places_[end] == places_[i]))) line += text_[end++] == '\n';
    if (line > first && wide) spans.emplace_back(first, line + (end < text_.size() && text_[end - 1] != '\n' ? 1 : 0));
    i = end;
  }
  for (const auto& [first, last] : spans) {
    std::vector<LineChange> out;
    for (auto change : changes) {
      const bool touches = change.old_begin < last && first < std::max(change.old_end, change.old_begin + 1) &&
                           !(change.old_begin == change.old_end && change.old_begin == first);
      if (touches && change.old_begin > first) {
        change.new_begin -= change.old_begin - first;
        change.old_begin = first;
      }
      if (touches && change.old_end < last) {
        change.new_end += last - change.old_end;
        change.old_end = last;
      }
      if (!out.empty() && change.old_begin < out.back().old_end) {
        out.back().new_end = std::max(out.back().new_end, change.new_end);
        if (change.old_end >= out.back().old_end) out.back().new_end = change.new_end;
        out.back().old_end = std::max(out.back().old_end, change.old_end);
      } else {
        out.push_back(change);
      }
    }
    changes = std::move(out);
  }
  return changes;
}

/// Text that a block cannot hold, directives and bare commas, stands as literals between two blocks.
std::optional<Edit> Region::as_literals(const std::vector<LineChange>& changes, const std::string& text) const {
  if (embedding_ != Embedding::Stringized || changes.empty() || macro_.empty()) return std::nullopt;
  const auto before = lines_of(text_);
  const auto after = lines_of(text);
  const auto joined = [](const std::vector<std::string_view>& lines, std::size_t begin, std::size_t end) {
    std::string out;
    for (auto i = begin; i < end; ++i) out += lines[i];
    return out;
  };
  const bool fits = std::none_of(changes.begin(), changes.end(), [&](const LineChange& change) {
    const auto made = joined(after, change.new_begin, change.new_end);
    return has_directive(made) || (!takes_commas_ && has_bare_comma(joined(after, 0, change.new_end)));
  });
  if (fits) return std::nullopt;
  LineChange all = {changes.front().old_begin, changes.back().old_end, changes.front().new_begin,
                    changes.back().new_end};
  // Both blocks that remain are of whole declarations.
  while (all.old_begin > 0 && !ends_whole(joined(before, 0, all.old_begin))) --all.old_begin, --all.new_begin;
  while (all.old_end < before.size() && !ends_whole(joined(before, 0, all.old_end))) ++all.old_end, ++all.new_end;
  std::string literals = ")" + newline_ + "\"\\n\"" + newline_;
  for (auto i = all.new_begin; i < all.new_end; ++i) literals += "\"" + escaped(after[i]) + "\"" + newline_;
  literals += macro_ + "(" + newline_;
  const auto offset = [&](std::size_t line) {
    return line < before.size() ? static_cast<std::size_t>(before[line].data() - text_.data()) : text_.size();
  };
  const auto from = offset(all.old_begin);
  const auto to = offset(all.old_end);
  const std::size_t begin = from < places_.size() ? places_[from].begin : end_;
  const std::size_t end = to > from ? places_[to - 1].end : begin;
  return Edit{{begin, end}, literals};
}

Status Region::find_python(std::size_t at) {
  in_python_ = true;
  for (std::size_t i = 0; i < file_.size(); ++i) {
    if (file_[i] == '#') {
      i = std::min(file_.find('\n', i), file_.size());
      continue;
    }
    if (file_[i] != '"' && file_[i] != '\'') continue;
    const bool triple = file_.compare(i, 3, std::string(3, file_[i])) == 0;
    const std::string quote(triple ? 3 : 1, file_[i]);
    auto end = i + quote.size();
    while (end < file_.size() && file_.compare(end, quote.size(), quote) != 0 && (triple || file_[end] != '\n'))
      end += file_[end] == '\\' ? 2 : 1;
    end = std::min(end, file_.size());
    if (i < at + 1 && at < end) {
      std::string prefix;
      for (auto p = i; p > 0 && std::isalpha(static_cast<unsigned char>(file_[p - 1])) != 0; --p)
        prefix += static_cast<char>(std::tolower(static_cast<unsigned char>(file_[p - 1])));
      auto after = file_.find_first_not_of(" \t\r\n)", end + quote.size());
      if (after == std::string::npos) after = file_.size();
      verbatim_ = prefix.find('r') != std::string::npos;
      doubles_braces_ = prefix.find('f') != std::string::npos || file_.compare(after, 8, ".format(") == 0;
      quote_ = quote;
      if (triple) closing_ = quote;
      begin_ = i + quote.size();
      end_ = end;
      newline_ = file_.find("\r\n") != std::string::npos ? "\r\n" : "\n";
      decode_python(begin_, end_);
      return {};
    }
    i = end + quote.size() - 1;
  }
  return fail("E-ORIGIN", fmt::format("no string at line {}", line_of(file_, at)));
}

void Region::decode_python(std::size_t begin, std::size_t end) {
  for (auto i = begin; i < end;) {
    static constexpr std::string_view letters = "ntr\\'\"", values = "\n\t\r\\'\"";
    const char next = i + 1 < end ? file_[i + 1] : '\0';
    const auto letter = file_[i] == '\\' && !verbatim_ ? letters.find(next) : std::string_view::npos;
    const bool goes_on = file_[i] == '\\' && !verbatim_ && next == '\n';
    const bool doubled = doubles_braces_ && (file_[i] == '{' || file_[i] == '}') && next == file_[i];
    const std::size_t length = letter != std::string_view::npos || goes_on || doubled ? 2 : 1;
    if (!goes_on) {
      text_ += letter != std::string_view::npos ? values[letter] : file_[i];
      places_.push_back({i, i + length});
    }
    i += length;
  }
}

}  // namespace hone::patch
