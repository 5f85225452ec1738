// Device code in the strings of host code: runs of literals with macros between them, raw strings, arrays of strings,
// and blocks that a macro makes a string of.
#include <algorithm>

#include "base/text.hpp"
#include "source/device_text.hpp"

namespace hone::source::host {
namespace {

/// `#x` in a macro's body, directly or through another macro.
bool makes_string(const Macro& macro, const Macros& macros, int depth = 0) {
  if (!macro.takes_arguments || depth > 4) return false;
  const auto tokens = tokens_of(macro.body, false);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is("#") && std::ranges::find(macro.parameters, tokens[i + 1].text) != macro.parameters.end())
      return true;
    const auto inner = tokens[i].kind == Token::Kind::Word ? macros.find(tokens[i].text) : macros.end();
    if (inner != macros.end() && tokens[i + 1].is("(") && makes_string(inner->second, macros, depth + 1)) return true;
  }
  return false;
}

bool looks_like_device_code(const std::string& text) {
  if (defines_kernel(text)) return true;
  const bool code =
      text.find('(') != std::string::npos && text.find('{') != std::string::npos && text.find(';') != std::string::npos;
  return text.size() > 24 &&
         (code || text.find("#define") != std::string::npos || text.find("typedef") != std::string::npos);
}

bool balanced(const std::string& text) {
  int depth = 0;
  for (const auto& token : tokens_of(text)) {
    if (token.kind != Token::Kind::Punctuation) continue;
    depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

class StringFinder {
 public:
  StringFinder(const std::string& path, const std::string& text, const Macros& macros)
      : path_(path), text_(text), macros_(macros), tokens_(tokens_of(text)) {
    std::vector<std::size_t> open;
    after_.assign(tokens_.size(), tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (marks_kernel(tokens_, i)) marks_.push_back(i);
      if (tokens_[i].is("(")) open.push_back(i);
      if (!tokens_[i].is(")") || open.empty()) continue;
      after_[open.back()] = i + 1;
      open.pop_back();
    }
  }

  std::vector<DeviceText> all() {
    for (std::size_t i = 0; i < tokens_.size();) {
      auto found = expression(i);
      if (!found) {
        ++i;
        continue;
      }
      auto end = found->second;
      if (i > 0 && tokens_[i - 1].is("{") && end < tokens_.size() && tokens_[end].is(",")) {
        end = list(std::move(found->first), end);
      } else {
        keep(std::move(found->first));
      }
      i = std::max(end, i + 1);
    }
    return std::move(out_);
  }

 private:
  using Found = std::pair<DeviceText, std::size_t>;

  void keep(DeviceText text) {
    if (looks_like_device_code(text.text)) out_.push_back(std::move(text));
  }

  DeviceText empty() const {
    DeviceText out;
    out.file = path_;
    return out;
  }

  /// `{ "line", "line", ... }`: one text when its strings are lines of one.
  std::size_t list(DeviceText first, std::size_t at) {
    std::vector<DeviceText> elements;
    elements.push_back(std::move(first));
    while (at + 1 < tokens_.size() && tokens_[at].is(",")) {
      auto next = expression(at + 1);
      if (!next) break;
      elements.push_back(std::move(next->first));
      at = next->second;
    }
    if (std::ranges::all_of(elements, [](const DeviceText& e) { return balanced(e.text); })) {
      for (auto& element : elements) keep(std::move(element));
      return at;
    }
    DeviceText whole = std::move(elements.front());
    for (std::size_t i = 1; i < elements.size(); ++i) whole.append(elements[i]);
    keep(std::move(whole));
    return at;
  }

  bool is_string(std::size_t i) const {
    return i < tokens_.size() && (tokens_[i].kind == Token::Kind::String || tokens_[i].kind == Token::Kind::RawString);
  }

  /// What adjacent strings, and macros that are strings, make together.
  std::optional<Found> expression(std::size_t at) {
    const auto begin = at;
    DeviceText out = empty();
    for (bool more = true; more && at < tokens_.size();) {
      more = false;
      if (is_string(at)) {
        literal(out, at);
        ++at;
        more = true;
      } else if (const auto end = block(out, at)) {
        at = *end;
        more = true;
      } else if (at > begin || is_string(at + 1) || is_call_before_string(at)) {
        if (const auto after = hole(out, at)) {
          at = *after;
          more = true;
        }
      }
    }
    if (at == begin) return std::nullopt;
    if (!out.segments.empty()) out.embedding = out.segments.front().embedding;
    return Found(std::move(out), at);
  }

  bool is_call_before_string(std::size_t at) const {
    if (tokens_[at].kind != Token::Kind::Word || at + 1 >= tokens_.size() || !tokens_[at + 1].is("(")) return false;
    const auto found = macros_.find(tokens_[at].text);
    if (found == macros_.end() || !found->second.takes_arguments) return false;
    return is_string(after_[at + 1]);
  }

  void literal(DeviceText& out, std::size_t at) const {
    const bool raw = tokens_[at].kind == Token::Kind::RawString;
    const auto embedding = raw ? Embedding::RawString : Embedding::StringLiterals;
    Decoded decoded;
    decode(tokens_[at], decoded);
    if (decoded.text.empty()) return;
    const bool same =
        !out.segments.empty() && !raw && out.segments.back().embedding == embedding && !out.segments.back().computed;
    if (!same) out.segments.push_back({out.text.size(), path_, embedding, false});
    out.text += decoded.text;
    out.places.insert(out.places.end(), decoded.places.begin(), decoded.places.end());
  }

  /// A macro between strings that is one itself: its text is there, its place are the bytes from quote to quote.
  std::optional<std::size_t> hole(DeviceText& out, std::size_t at) const {
    const auto& token = tokens_[at];
    const auto found = token.kind == Token::Kind::Word ? macros_.find(token.text) : macros_.end();
    if (found == macros_.end()) return std::nullopt;
    const bool called = at + 1 < tokens_.size() && tokens_[at + 1].is("(");
    if (found->second.takes_arguments != called) return std::nullopt;
    const auto end = called ? after_[at + 1] : at + 1;
    const auto written = std::string_view(text_).substr(token.begin, tokens_[end - 1].end - token.begin);
    const auto value = string_value(written, macros_);
    if (!value) return std::nullopt;
    ByteRange place = {token.begin, tokens_[end - 1].end};
    if (at > 0 && tokens_[at - 1].kind == Token::Kind::String) place.begin = tokens_[at - 1].end - 1;
    if (end < tokens_.size() && tokens_[end].kind == Token::Kind::String) place.end = tokens_[end].begin + 1;
    if (!value->empty()) {
      out.segments.push_back({out.text.size(), path_, Embedding::StringLiterals, true});
      out.places.insert(out.places.end(), value->size(), place);
      out.text += *value;
    }
    return end;
  }

  /// `STRINGIFY( ... )`: by its definition, or because a kernel stands in it that is no string yet.
  std::optional<std::size_t> block(DeviceText& out, std::size_t at) const {
    if (tokens_[at].kind != Token::Kind::Word || at + 1 >= tokens_.size() || !tokens_[at + 1].is("("))
      return std::nullopt;
    const auto mark = std::ranges::lower_bound(marks_, at);
    const auto found = macros_.find(tokens_[at].text);
    const bool known = found != macros_.end() && makes_string(found->second, macros_);
    if (mark == marks_.end() && !known) return std::nullopt;
    const auto end = after_[at + 1];
    if (end <= at + 2 || !tokens_[end - 1].is(")")) return std::nullopt;
    const bool has_mark = mark != marks_.end() && *mark < end && depth_one(at + 1, *mark);
    if (!has_mark && !known) return std::nullopt;
    ByteRange inside = {tokens_[at + 1].end, tokens_[end - 1].begin};
    if (!has_mark && text_.substr(inside.begin, inside.end - inside.begin).find('{') == std::string::npos)
      return std::nullopt;
    // `SOURCE(name, ...)`: the text begins after the name.
    if (tokens_[at + 2].kind == Token::Kind::Word && tokens_[at + 3].is(",")) inside.begin = tokens_[at + 3].end;
    if (known) prefix(out, at, found->second);
    out.segments.push_back({out.text.size(), path_, Embedding::Stringized, false});
    for (auto i = inside.begin; i < inside.end; ++i) {
      // A line that goes on, in a block that is itself a macro's body.
      if (text_[i] == '\\' && i + 1 < inside.end && text_[i + 1] == '\n') continue;
      out.text += text_[i];
      out.places.push_back({i, i + 1});
    }
    return end;
  }

  /// The mark stands directly in these brackets, not in a call inside of them.
  bool depth_one(std::size_t open, std::size_t mark) const {
    for (auto i = open + 1; i < mark; ++i) {
      if (tokens_[i].is("(") && after_[i] > mark) return false;
    }
    return true;
  }

  /// Strings that the macro puts in front: "#pragma ...\n" #source.
  void prefix(DeviceText& out, std::size_t at, const Macro& macro) const {
    Decoded ahead;
    const auto tokens = tokens_of(macro.body, false);
    for (const auto& token : tokens) {
      if (token.is("#")) break;
      if (token.kind == Token::Kind::String) decode(token, ahead);
    }
    if (ahead.text.empty()) return;
    out.segments.push_back({out.text.size(), path_, Embedding::Stringized, true});
    out.places.insert(out.places.end(), ahead.text.size(), {tokens_[at].begin, tokens_[at + 1].end});
    out.text += ahead.text;
  }

  const std::string& path_;
  const std::string& text_;
  const Macros& macros_;
  Tokens tokens_;
  std::vector<std::size_t> marks_;
  std::vector<std::size_t> after_;  // one past the partner of each bracket
  std::vector<DeviceText> out_;
};

}  // namespace

std::vector<DeviceText> texts_in_strings(const std::string& path, const std::string& text, const Macros& macros) {
  return StringFinder(path, text, macros).all();
}

}  // namespace hone::source::host
