#include "patch/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "patch/diff.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct Escape {
  char value;
  std::size_t length;  // with the backslash
  bool nothing;        // a line continuation
};

Escape number_escape(std::string_view text, std::size_t from, int base, std::size_t most) {
  int value = 0;
  std::size_t i = from;
  for (; i < text.size() && i - from < most; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
  }
  return {static_cast<char>(value), i, false};
}

/// `text` begins at the backslash.
Escape escape_at(std::string_view text) {
  static constexpr std::string_view letters = "ntrabfv0", values = "\n\t\r\a\b\f\v";
  if (text.size() < 2) return {'\\', 1, false};
  if (text[1] == '\n') return {0, 2, true};
  if (text.substr(1, 2) == "\r\n") return {0, 3, true};
  if (text[1] == 'x') return number_escape(text, 2, 16, 2);
  if (text[1] >= '0' && text[1] <= '7') return number_escape(text, 1, 8, 3);
  const auto letter = letters.find(text[1]);
  if (letter < values.size()) return {values[letter], 2, false};
  return {text[1], 2, false};
}

/// A comma that no round bracket protects: braces do not, in a macro's argument.
bool has_top_comma(std::string_view text) {
  int depth = 0;
  for (const auto& token : tokens_of(text)) {
    const auto mark = text_of(token, text);
    depth += mark == "(" ? 1 : mark == ")" ? -1 : 0;
    if (mark == "," && depth == 0) return true;
  }
  return false;
}

/// Commas between the literals of a range that begins and ends inside of one.
std::size_t commas_between(std::string_view inside) {
  const std::string text = "\"" + std::string(inside) + "\"";
  std::size_t out = 0;
  for (const auto& token : tokens_of(text)) out += text_of(token, text) == "," ? 1 : 0;
  return out;
}

/// Most of the file's lines end in CR LF.
bool uses_crlf(std::string_view text) {
  const auto all = std::count(text.begin(), text.end(), '\n');
  std::ptrdiff_t pairs = 0;
  for (std::size_t i = 1; i < text.size(); ++i) pairs += text[i] == '\n' && text[i - 1] == '\r';
  return pairs * 2 > all;
}

/// Is the comma one between the strings of an array: `{"a", "b"}`?
bool between_items(const std::vector<Token>& tokens, std::string_view file, std::size_t comma) {
  int depth = 0;
  for (std::size_t i = comma; i-- > 0;) {
    const auto mark = text_of(tokens[i], file);
    if (mark == ")" || mark == "}") ++depth;
    if (mark == "(" && --depth < 0) return false;
    if (mark == "{" && --depth < 0) return true;
    if (depth == 0 && mark == ";") return false;
  }
  return false;
}

/// The run of adjacent literals around `at`, comments and line breaks between them allowed, and the commas of an array:
/// token indices [first, last).
std::pair<std::size_t, std::size_t> literal_run(const std::vector<Token>& tokens, std::string_view file,
                                                std::size_t at) {
  const auto is_string = [&](std::size_t i) { return tokens[i].kind == Token::Kind::String; };
  const auto is_comma = [&](std::size_t i) {
    return text_of(tokens[i], file) == "," && between_items(tokens, file, i);
  };
  std::size_t first = 0;
  while (first < tokens.size() && (tokens[first].end <= at || !is_string(first))) ++first;
  if (first == tokens.size() || (tokens[first].begin > at + 1 && (first == 0 || !is_string(first - 1)))) return {0, 0};
  std::size_t last = first + 1;
  for (bool more = true; more;) {
    more = true;
    if (first > 0 && is_string(first - 1))
      --first;
    else if (first > 1 && is_string(first - 2) && is_comma(first - 1))
      first -= 2;
    else if (last < tokens.size() && is_string(last))
      ++last;
    else if (last + 1 < tokens.size() && is_string(last + 1) && is_comma(last))
      last += 2;
    else
      more = false;
  }
  return {first, last};
}

}  // namespace

std::string apply_edits(const std::string& text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.range.begin < b.range.begin; });
  std::string out;
  std::size_t at = 0;
  for (const auto& edit : edits) {
    out.append(text, at, edit.range.begin - at);
    out += edit.text;
    at = edit.range.end;
  }
  return out.append(text, at, std::string::npos);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    else if (c == '?' && !out.empty() && out.back() == '?')
      out += "\\?";  // no trigraphs by accident
    else
      out += c;
  }
  return out;
}

Result<Region> Region::find(const std::string& file, Embedding embedding, std::size_t at) {
  Region region(file, embedding);
  if (embedding == Embedding::File) {
    region.decode_plain(0, file.size());
    return region;
  }
  const auto tokens = tokens_of(file);
  if (embedding == Embedding::StringLiterals) {
    const auto [first, last] = literal_run(tokens, file, at);
    if (first == last) return fail("E-ORIGIN", fmt::format("no string literal at line {}", line_of(file, at)));
    region.begin_ = tokens[first].begin;
    region.end_ = tokens[last - 1].end;
    region.newline_ = uses_crlf(file) ? "\r\n" : "\n";
    for (std::size_t i = first; i < last; ++i)
      if (tokens[i].kind == Token::Kind::String) region.decode_literal(tokens[i].begin + 1, tokens[i].end - 1);
    return region;
  }
  if (embedding == Embedding::Stringized) return in_brackets(file, at);
  if (embedding == Embedding::Python) return in_python(file, at);
  for (const auto& token : tokens) {
    if (token.kind != Token::Kind::RawString || at < token.begin || at >= token.end) continue;
    const auto quote = file.find('"', token.begin);
    const auto open = file.find('(', quote);
    region.closing_ = ")" + file.substr(quote + 1, open - quote - 1) + "\"";
    region.decode_plain(open + 1, token.end - region.closing_.size());
    return region;
  }
  return fail("E-ORIGIN", fmt::format("no raw string at line {}", line_of(file, at)));
}

Result<Region> Region::in_brackets(const std::string& file, std::size_t at) {
  const auto tokens = tokens_of(file);
  std::size_t open = tokens.size();
  for (std::size_t i = 0; i < tokens.size() && tokens[i].begin <= at; ++i) {
    if (text_of(tokens[i], file) != "(" || i == 0 || tokens[i - 1].kind != Token::Kind::Word) continue;
    const auto close = closing(tokens, file, i);
    if (close < tokens.size() && tokens[close].begin >= at) open = i;  // the innermost: `at` begins a declaration
  }
  if (open == tokens.size())
    return fail("E-ORIGIN", fmt::format("no macro's brackets around line {}", line_of(file, at)));
  Region region(file, Embedding::Stringized);
  region.decode_plain(tokens[open].end, tokens[closing(tokens, file, open)].begin);
  const std::string name(text_of(tokens[open - 1], file));
  region.takes_commas_ = has_top_comma(region.text_);
  for (const auto& token : tokens) {
    const auto line = text_of(token, file);
    const auto made = line.find(name + "(");
    if (token.kind == Token::Kind::Directive && line.find("define") < made && made != std::string_view::npos)
      region.takes_commas_ =
          region.takes_commas_ || line.substr(0, line.find(')', made)).find("...", made) != line.npos;
  }
  return region;
}

Status Region::stands_in_brackets(const std::string& text) const {
  for (const auto& token : tokens_of(text))
    if (token.kind == Token::Kind::Directive)
      return fail("E-ORIGIN", fmt::format("the new text has the line `{}`, which cannot stand in a macro's brackets",
                                          trim(text_of(token, text))));
  if (!takes_commas_ && has_top_comma(text))
    return fail("E-ORIGIN",
                "the new text has a comma outside of brackets, and the macro it stands in takes one argument");
  return {};
}

/// Long strings between three quotes; others are not looked for.
Result<Region> Region::in_python(const std::string& file, std::size_t at) {
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file[i] == '#') {
      i = std::min(file.find('\n', i), file.size());
      continue;
    }
    if (file[i] != '"' && file[i] != '\'') continue;
    const std::string quotes(3, file[i]);
    if (file.compare(i, 3, quotes) != 0) {  // a short one: to its end
      const char quote = file[i];
      for (++i; i < file.size() && file[i] != quote && file[i] != '\n'; ++i) i += file[i] == '\\' ? 1 : 0;
      continue;
    }
    std::size_t end = i + 3;
    while (end < file.size() && file.compare(end, 3, quotes) != 0) end += file[end] == '\\' ? 2 : 1;
    if (end >= file.size()) break;
    if (at < i || at > end) {
      i = end + 2;
      continue;
    }
    std::string prefix;
    for (std::size_t p = i; p > 0 && std::isalpha(static_cast<unsigned char>(file[p - 1])) != 0; --p)
      prefix += static_cast<char>(std::tolower(static_cast<unsigned char>(file[p - 1])));
    if (prefix.find('f') != std::string::npos)
      return fail("E-ORIGIN", fmt::format("the string at line {} is computed when the program runs", line_of(file, i)));
    Region region(file, Embedding::Python);
    region.begin_ = i + 3;
    region.end_ = end;
    region.closing_ = quotes;
    region.newline_ = uses_crlf(file) ? "\r\n" : "\n";
    region.escapes_ = prefix.find('r') == std::string::npos;
    if (region.escapes_)
      region.decode_literal(i + 3, end);
    else
      region.decode_plain(i + 3, end);
    return region;
  }
  return fail("E-ORIGIN", fmt::format("no string between three quotes at line {}", line_of(file, at)));
}

void Region::decode_plain(std::size_t begin, std::size_t end) {
  begin_ = begin;
  end_ = end;
  newline_ = uses_crlf(file_) ? "\r\n" : "\n";
  for (std::size_t i = begin; i < end; ++i) {
    const bool pair = file_[i] == '\r' && i + 1 < end && file_[i + 1] == '\n';
    const std::size_t stop = i + (pair ? 2 : 1);
    text_ += pair ? '\n' : file_[i];
    places_.push_back({i, stop});
    i = stop - 1;
  }
}

void Region::decode_literal(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end;) {
    Escape read{file_[i], 1, false};
    if (file_[i] == '\\') read = escape_at(std::string_view(file_).substr(i, end - i));
    if (!read.nothing) {
      text_ += read.value;
      places_.push_back({i, i + read.length});
    }
    i += read.length;
  }
}

std::size_t Region::decoded(std::size_t place) const {
  const auto found = std::lower_bound(places_.begin(), places_.end(), place,
                                      [](const ByteRange& range, std::size_t value) { return range.end <= value; });
  return static_cast<std::size_t>(found - places_.begin());
}

Result<std::vector<Edit>> Region::encode(const Edit& edit) const {
  if (embedding_ == Embedding::StringLiterals) {
    if (places_.empty()) return fail("E-ORIGIN", "the string literal is empty");
    return std::vector<Edit>{encode_quoted(edit)};
  }
  if (!closing_.empty() && edit.text.find(closing_) != std::string::npos)
    return fail("E-ORIGIN", fmt::format("the new text contains {}, which ends the string it must stand in", closing_));
  const std::size_t begin = edit.range.begin < places_.size() ? places_[edit.range.begin].begin : end_;
  const std::size_t end = edit.range.end > edit.range.begin ? places_[edit.range.end - 1].end : begin;
  const auto text = escapes_ ? replace_all(edit.text, "\\", "\\\\") : edit.text;
  return std::vector<Edit>{{{begin, end}, replace_all(text, "\n", newline_)}};
}

/// The quotes around the replaced bytes stay where they are; between new lines the literal is closed and opened again.
Edit Region::encode_quoted(const Edit& edit) const {
  const bool at_end = edit.range.begin == places_.size();
  const std::size_t begin = at_end ? places_.back().end : places_[edit.range.begin].begin;
  const std::size_t end = edit.range.end > edit.range.begin ? places_[edit.range.end - 1].end : begin;
  if (edit.text.empty()) return drop_quoted(begin, end);

  const std::size_t line = file_.rfind('\n', begin) == std::string::npos ? 0 : file_.rfind('\n', begin) + 1;
  std::size_t quote = file_.find('"', line);
  if (quote >= begin) quote = begin - 1;
  // Literals line up with the first one of their line; after code they line up under the opening quote.
  std::string indent;
  for (std::size_t i = line; i < quote; ++i) indent += file_[i] == '\t' ? '\t' : ' ';
  std::size_t line_stop = std::min(file_.find('\n', begin), file_.size());
  if (line_stop > 0 && file_[line_stop - 1] == '\r') --line_stop;
  const bool in_macro = line_stop > 0 && file_[line_stop - 1] == '\\' && line_stop > end;
  const std::string join = "\"" + std::string(in_macro ? " \\" : "") + newline_ + indent + "\"";

  std::string out;
  const auto lines = lines_of(edit.text);
  std::size_t commas = commas_between(std::string_view(file_).substr(begin, end - begin));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += escaped(lines[i]);
    // Nothing follows in the literal: the quote that is already there closes the last line.
    const bool last = i + 1 == lines.size();
    if (last && !(!at_end && edit.range.begin == edit.range.end)) break;
    out += commas > 0 ? "\"," + join.substr(1) : join;
    commas -= commas > 0 ? 1 : 0;
  }
  for (; commas > 0; --commas) out += "\", \"";  // an array keeps the number of its strings
  if (at_end) out = join + out;
  return {{begin, end}, out};
}

/// Lines whose whole literal goes leave no empty `""` behind.
Edit Region::drop_quoted(std::size_t begin, std::size_t end) const {
  const bool whole = begin > 0 && file_[begin - 1] == '"' && end < file_.size() && file_[end] == '"';
  if (!whole) return {{begin, end}, ""};
  const std::size_t line = file_.rfind('\n', begin) == std::string::npos ? 0 : file_.rfind('\n', begin) + 1;
  const std::size_t stop = file_.find('\n', end);
  if (stop == std::string::npos) return {{begin, end}, ""};
  const std::string before(trim(std::string_view(file_).substr(line, begin - 1 - line)));
  const std::string after(trim(std::string_view(file_).substr(end + 1, stop - end - 1)));
  if (!before.empty() || !(after.empty() || after == "\\")) return {{begin, end}, ""};
  return {{line, stop + 1}, ""};
}

Result<std::vector<Edit>> Region::encode_all(const std::string& text) const {
  if (embedding_ == Embedding::Stringized)
    if (auto stands = stands_in_brackets(text); !stands) return fail(std::move(stands).error());
  const auto before = lines_of(text_);
  const auto after = lines_of(text);
  std::vector<Edit> edits;
  const auto offset = [](const std::vector<std::string_view>& lines, const std::string& whole, std::size_t line) {
    return line < lines.size() ? static_cast<std::size_t>(lines[line].data() - whole.data()) : whole.size();
  };
  for (const auto& change : line_changes(before, after)) {
    const std::size_t from = offset(after, text, change.new_begin);
    const std::size_t to = offset(after, text, change.new_end);
    const ByteRange range{offset(before, text_, change.old_begin), offset(before, text_, change.old_end)};
    auto encoded = encode({range, text.substr(from, to - from)});
    if (!encoded) return fail(std::move(encoded).error());
    edits.insert(edits.end(), encoded->begin(), encoded->end());
  }
  return edits;
}

}  // namespace hone::patch
