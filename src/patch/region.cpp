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

/// The run of adjacent literals around `at`, comments, line breaks and holes between them allowed, and commas as far as
/// the kernel reaches: token indices [first, last).
std::pair<std::size_t, std::size_t> literal_run(const std::vector<Token>& tokens, std::string_view file, std::size_t at,
                                                const std::vector<Hole>& holes, ByteRange reach) {
  const auto is_string = [&](std::size_t i) { return tokens[i].kind == Token::Kind::String; };
  const auto belongs = [&](std::size_t i) {
    const auto& token = tokens[i];
    if (is_string(i)) return true;
    if (text_of(token, file) == "," && reach.begin <= token.begin && token.end <= reach.end) return true;
    return std::any_of(holes.begin(), holes.end(), [&](const Hole& hole) {
      return hole.there.begin <= token.begin && token.end <= hole.there.end;
    });
  };
  std::size_t first = 0;
  while (first < tokens.size() && (tokens[first].end <= at || !is_string(first))) ++first;
  if (first == tokens.size() || (tokens[first].begin > at + 1 && (first == 0 || !belongs(first - 1)))) return {0, 0};
  std::size_t last = first + 1;
  while (first > 0 && belongs(first - 1)) --first;
  while (last < tokens.size() && belongs(last)) ++last;
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

std::string escaped(std::string_view text, bool plain_tabs) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += plain_tabs ? "\t" : "\\t";
    else if (static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    else if (c == '?' && !out.empty() && out.back() == '?')
      out += "\\?";  // no trigraphs by accident
    else
      out += c;
  }
  return out;
}

Result<Region> Region::find(const std::string& file, Embedding embedding, std::size_t at,
                            const std::vector<Hole>& holes, ByteRange reach) {
  Region region(file, embedding);
  region.holes_ = holes;
  std::stable_sort(region.holes_.begin(), region.holes_.end(),
                   [](const Hole& a, const Hole& b) { return a.there.begin < b.there.begin; });
  if (embedding == Embedding::File) {
    region.decode_plain(0, file.size());
    return region;
  }
  const auto tokens = tokens_of(file);
  if (embedding == Embedding::StringLiterals) {
    const auto [first, last] = literal_run(tokens, file, at, region.holes_, reach);
    if (first == last) return fail("E-ORIGIN", fmt::format("no string literal at line {}", line_of(file, at)));
    region.begin_ = tokens[first].begin;
    region.end_ = tokens[last - 1].end;
    region.newline_ = uses_crlf(file) ? "\r\n" : "\n";
    for (std::size_t i = first; i < last; ++i) {
      if (tokens[i].kind == Token::Kind::String) region.decode_literal(tokens[i].begin + 1, tokens[i].end - 1);
      for (const auto& hole : region.holes_)
        if (tokens[i].kind == Token::Kind::String ? hole.there.begin + 1 == tokens[i].end
                                                  : hole.there.begin == tokens[i].begin)
          region.fill(hole);
    }
    return region;
  }
  if (embedding == Embedding::Stringized || embedding == Embedding::Python) {
    auto found = embedding == Embedding::Python ? region.find_python(at) : region.find_block(at);
    if (!found) return fail(std::move(found).error());
    return region;
  }
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

void Region::decode_plain(std::size_t begin, std::size_t end) {
  begin_ = begin;
  end_ = end;
  newline_ = uses_crlf(file_) ? "\r\n" : "\n";
  auto hole = holes_.begin();
  for (std::size_t i = begin; i < end; ++i) {
    while (hole != holes_.end() && hole->there.begin < i) ++hole;
    if (hole != holes_.end() && hole->there.begin == i && hole->there.end > i && hole->there.end <= end) {
      const auto stands = hole->there;
      for (; hole != holes_.end() && hole->there == stands; ++hole) fill(*hole);
      i = stands.end - 1;
      continue;
    }
    const bool pair = file_[i] == '\r' && i + 1 < end && file_[i + 1] == '\n';
    const std::size_t stop = i + (pair ? 2 : 1);
    text_ += pair ? '\n' : file_[i];
    places_.push_back({i, stop});
    i = stop - 1;
  }
}

void Region::fill(const Hole& hole) {
  text_ += hole.text;
  places_.insert(places_.end(), hole.text.size(), hole.there);
}

void Region::decode_literal(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end;) {
    Escape read{file_[i], 1, false};
    plain_tabs_ = plain_tabs_ || file_[i] == '\t';
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
  if (embedding_ == Embedding::StringLiterals || (in_python_ && quote_.size() == 1)) {
    if (places_.empty()) return fail("E-ORIGIN", "the string literal is empty");
    return std::vector<Edit>{encode_quoted(edit)};
  }
  if (!closing_.empty() && edit.text.find(closing_) != std::string::npos)
    return fail("E-ORIGIN",
                fmt::format("the new text contains {}, which ends the raw string it must stand in", closing_));
  const std::size_t begin = edit.range.begin < places_.size() ? places_[edit.range.begin].begin : end_;
  const std::size_t end = edit.range.end > edit.range.begin ? places_[edit.range.end - 1].end : begin;
  auto text = edit.text;
  if (in_python_ && !verbatim_) text = replace_all(replace_all(text, "\\", "\\\\"), quote_, "\\" + quote_);
  if (doubles_braces_) text = replace_all(replace_all(text, "{", "{{"), "}", "}}");
  return std::vector<Edit>{{{begin, end}, replace_all(text, "\n", newline_)}};
}

/// The quotes around the replaced bytes stay where they are; between new lines the literal is closed and opened again.
Edit Region::encode_quoted(const Edit& edit) const {
  const bool at_end = edit.range.begin == places_.size();
  const std::size_t begin = at_end ? places_.back().end : places_[edit.range.begin].begin;
  const std::size_t end = edit.range.end > edit.range.begin ? places_[edit.range.end - 1].end : begin;
  if (edit.text.empty()) return drop_quoted(begin, end);

  const std::size_t line = file_.rfind('\n', begin) == std::string::npos ? 0 : file_.rfind('\n', begin) + 1;
  std::size_t quote = file_.find(quote_, line);
  if (quote >= begin) quote = begin - 1;
  // Literals line up with the first one of their line; after code they line up under the opening quote.
  std::string indent;
  for (std::size_t i = line; i < quote; ++i) indent += file_[i] == '\t' ? '\t' : ' ';
  std::size_t line_stop = std::min(file_.find('\n', begin), file_.size());
  if (line_stop > 0 && file_[line_stop - 1] == '\r') --line_stop;
  const bool goes_on = in_python_ || (line_stop > 0 && file_[line_stop - 1] == '\\' && line_stop > end);
  const std::string join = quote_ + std::string(goes_on ? " \\" : "") + newline_ + indent + quote_;

  std::string out;
  const auto lines = lines_of(edit.text);
  std::size_t commas = in_python_ ? 0 : commas_between(std::string_view(file_).substr(begin, end - begin));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line_text = escaped(lines[i], plain_tabs_);
    out += quote_ == "'" ? replace_all(line_text, "'", "\\'") : line_text;
    // Nothing follows in the literal: the quote that is already there closes the last line.
    const bool last = i + 1 == lines.size();
    if (last && (at_end || edit.range.begin != edit.range.end)) break;
    out += commas > 0 ? quote_ + "," + join.substr(quote_.size()) : join;
    commas -= commas > 0 ? 1 : 0;
  }
  for (; commas > 0; --commas) out += quote_ + ", " + quote_;  // an array keeps the number of its strings
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
  const auto before = lines_of(text_);
  const auto after = lines_of(text);
  std::vector<Edit> edits;
  const auto offset = [](const std::vector<std::string_view>& lines, const std::string& whole, std::size_t line) {
    return line < lines.size() ? static_cast<std::size_t>(lines[line].data() - whole.data()) : whole.size();
  };
  const auto changes = whole_changes(line_changes(before, after));
  if (auto literals = as_literals(changes, text)) return std::vector<Edit>{std::move(*literals)};
  for (const auto& change : changes) {
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
