// Device code in the strings of Python programs: triple quoted and ordinary ones, adjacent or added.
#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "source/device_text.hpp"

namespace hone::source::host {
namespace {

struct PythonString {
  std::size_t begin = 0, end = 0;    // of the literal with its prefix
  std::size_t inside = 0, stop = 0;  // of what stands between the quotes
  bool raw = false, formatted = false;
};

class PythonReader {
 public:
  PythonReader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  std::vector<DeviceText> all() {
    std::vector<DeviceText> out;
    for (std::size_t at = 0; at < text_.size();) {
      const auto first = next_string(at);
      if (!first) break;
      DeviceText found;
      found.file = path_;
      found.embedding = Embedding::Python;
      found.segments = {{0, path_, Embedding::Python, false}};
      auto string = *first;
      std::vector<PythonString> run = {string};
      while (const auto more = adjacent(string.end)) {
        string = *more;
        run.push_back(string);
      }
      const bool formatted = text_.compare(skip_blank(string.end), 7, ".format") == 0;
      for (const auto& one : run) decode_python(one, formatted || one.formatted, found);
      at = string.end;
      if (found.text.size() > 24 && found.text.find('(') != std::string::npos) out.push_back(std::move(found));
    }
    return out;
  }

 private:
  std::optional<PythonString> string_at(std::size_t at) const {
    PythonString out;
    out.begin = at;
    while (at < text_.size() && at < out.begin + 2 && std::isalpha(static_cast<unsigned char>(text_[at])) != 0) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at])));
      if (std::string_view("rbuf").find(c) == std::string_view::npos) return std::nullopt;
      out.raw = out.raw || c == 'r';
      out.formatted = out.formatted || c == 'f';
      ++at;
    }
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return std::nullopt;
    if (out.begin > 0 && in_name(text_[out.begin - 1])) return std::nullopt;
    const char quote = text_[at];
    const bool triple = text_.compare(at, 3, std::string(3, quote)) == 0;
    const std::string close(triple ? 3 : 1, quote);
    out.inside = at + close.size();
    for (auto i = out.inside; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (!triple && text_[i] == '\n') {
        return std::nullopt;
      } else if (text_.compare(i, close.size(), close) == 0) {
        out.stop = i;
        out.end = i + close.size();
        return out;
      }
    }
    return std::nullopt;
  }

  std::optional<PythonString> next_string(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#') {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (const auto found = string_at(at)) {
        return found;
      } else {
        ++at;
      }
    }
    return std::nullopt;
  }

  std::size_t skip_blank(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#') {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at])) != 0 || text_[at] == '\\') {
        ++at;
      } else {
        break;
      }
    }
    return at;
  }

  std::optional<PythonString> adjacent(std::size_t at) const {
    at = skip_blank(at);
    if (at < text_.size() && text_[at] == '+') at = skip_blank(at + 1);
    return at < text_.size() ? string_at(at) : std::nullopt;
  }

  void decode_python(const PythonString& string, bool formatted, DeviceText& into) const {
    const auto push = [&](char c, std::size_t begin, std::size_t end) {
      into.text += c;
      into.places.push_back({begin, end});
    };
    for (auto i = string.inside; i < string.stop;) {
      const char c = text_[i];
      const char after = i + 1 < string.stop ? text_[i + 1] : '\0';
      if (c == '\\' && !string.raw) {
        constexpr std::string_view letters = "ntr\\'\"";
        constexpr std::string_view values = "\n\t\r\\'\"";
        const auto letter = letters.find(after);
        if (after == '\n') {
          i += 2;
          continue;
        }
        if (letter != std::string_view::npos) {
          push(values[letter], i, i + 2);
          i += 2;
          continue;
        }
      }
      if (formatted && (c == '{' || c == '}') && after == c) {
        push(c, i, i + 2);
        i += 2;
        continue;
      }
      push(c, i, i + 1);
      ++i;
    }
  }

  const std::string& path_;
  const std::string& text_;
};

}  // namespace

std::vector<DeviceText> texts_in_python(const std::string& path, const std::string& text) {
  return PythonReader(path, text).all();
}

}  // namespace hone::source::host
