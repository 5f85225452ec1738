#pragma once
// Bytes as they come, lines as they go: one that is too long is said to be so, and its bytes are not kept.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hone::app {

/// Of a request: a kernel of some thousand lines and its manifest fit many times.
inline constexpr std::size_t longest_request = std::size_t{4} << 20U;

class LineBuffer {
 public:
  struct Line {
    std::string text;
    bool too_long = false;
  };

  explicit LineBuffer(std::size_t longest = longest_request) : longest_(longest) {}

  void add(std::string_view bytes) { waiting_.append(bytes); }

  /// The next whole line without its end; nothing while there is none.
  std::optional<Line> next() {
    const auto end = waiting_.find('\n');
    if (end == std::string::npos) {
      if (waiting_.size() > longest_) skipping_ = true, waiting_.clear();
      return std::nullopt;
    }
    Line line{waiting_.substr(0, end), skipping_ || end > longest_};
    waiting_.erase(0, end + 1);
    skipping_ = false;
    if (line.too_long) line.text.clear();
    if (line.text.ends_with('\r')) line.text.pop_back();
    return line;
  }

  /// What is left when nothing more comes.
  std::optional<Line> last() {
    if (waiting_.empty() && !skipping_) return std::nullopt;
    add("\n");
    return next();
  }

 private:
  std::size_t longest_;
  std::string waiting_;
  bool skipping_ = false;
};

}  // namespace hone::app
