#include "source/host_defines.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "source/follower.hpp"

namespace hone::source::host {
namespace {

struct Found {
  std::string name, value;
  bool formatted = false;  // the value holds a % of printf
  bool open = false;       // the text ends right after the =
};

std::vector<Found> options_in(const std::string& text) {
  std::vector<Found> out;
  for (auto at = text.find("-D"); at != std::string::npos; at = text.find("-D", at + 2)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\t') continue;
    auto begin = at + 2;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    auto end = begin;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == begin) continue;
    Found found{text.substr(begin, end - begin), "1", false, false};
    if (end < text.size() && text[end] == '=') {
      auto stop = end + 1;
      while (stop < text.size() && text[stop] != ' ' && text[stop] != '\n' && text[stop] != '\t') ++stop;
      found.value = text.substr(end + 1, stop - end - 1);
      found.open = found.value.empty();
      found.formatted = found.value.find('%') != std::string::npos;
    }
    out.push_back(found);
  }
  return out;
}

/// How many printf arguments the text takes before `place`.
std::size_t conversions_before(const std::string& text, std::size_t place) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < std::min(place, text.size()); ++i) {
    if (text[i] != '%') continue;
    if (text[i + 1] == '%') {
      ++i;
    } else {
      ++count;
    }
  }
  return count;
}

class Search {
 public:
  Search(const HostCode& code, const HostFile& file) : code_(code), file_(file), tokens_(file.tokens) {}

  void run(std::vector<Define>& out) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::String) continue;
      const auto first = i;
      Decoded decoded;
      decode(tokens_[i], decoded);
      while (i + 1 < tokens_.size() && tokens_[i + 1].kind == Token::Kind::String) decode(tokens_[++i], decoded);
      for (const auto& found : options_in(decoded.text)) {
        Define define{found.name, found.value,
                      file_.path + ":" + std::to_string(line_of(file_.text, tokens_[first].begin)), true};
        if (found.formatted) define.value = formatted(decoded.text, found, first, i);
        if (found.open) define.value = appended(i);
        out.push_back(define);
      }
    }
  }

 private:
  /// snprintf(options, n, "-DTS=%d -DW=%d", ts, w): the argument that belongs to this conversion.
  std::string formatted(const std::string& text, const Found& found, std::size_t first, std::size_t last) const {
    const auto place = text.find(found.name + "=") + found.name.size() + 1;
    const auto skip = conversions_before(text, place);
    std::size_t open = first;
    int depth = 0;
    while (open > 0 && depth <= 0) {
      --open;
      if (tokens_[open].is(")")) --depth;
      if (tokens_[open].is("(")) ++depth;
    }
    const auto arguments = arguments_of(Span{&file_, open, tokens_.size()}, 0);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].begin <= first && last < arguments[i].end && i + 1 + skip < arguments.size())
        return constant(arguments[i + 1 + skip]);
    }
    return {};
  }

  /// "-DTS=" + std::to_string(TS), stream << "-DTS=" << TS
  std::string appended(std::size_t last) const {
    auto at = last + 1;
    if (at >= tokens_.size() || (!tokens_[at].is("+") && !tokens_[at].is("<<"))) return {};
    const auto op = tokens_[at++].text;
    auto end = at;
    while (end < tokens_.size() && !tokens_[end].is(op) && !tokens_[end].is(";") && !tokens_[end].is(",") &&
           !tokens_[end].is(")")) {
      end = tokens_[end].is("(") ? after_matching(tokens_, end, tokens_.size()) : end + 1;
    }
    auto open = at;
    while (open < end && !tokens_[open].is("(")) ++open;
    const bool call = open < end && tokens_[open - 1].is("to_string");
    return constant(call ? Span{&file_, open + 1, end - 1} : Span{&file_, at, end});
  }

  std::string constant(const Span& span) const {
    const auto value = constant_of(code_, span);
    return value ? std::to_string(*value) : std::string();
  }

  const HostCode& code_;
  const HostFile& file_;
  const Tokens& tokens_;
};

}  // namespace

std::vector<Define> build_defines(const HostCode& code) {
  std::vector<Define> out;
  for (const auto& file : code.files) Search(code, *file).run(out);
  return out;
}

std::optional<Define> macro_define(const HostCode& code, const std::string& name) {
  const auto found = code.macros.find(name);
  if (found == code.macros.end() || found->second.empty()) return std::nullopt;
  return Define{name, found->second.text(), found->second.file->path, true};
}

}  // namespace hone::source::host
