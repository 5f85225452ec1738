#include "patch/diff.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hone::patch {
namespace {

constexpr std::size_t context_lines = 3;

using Lines = std::vector<std::string_view>;

/// Myers' greedy search for the shortest edit script. `trace[d][k + d]` is the furthest line of `a` on diagonal k after
/// d edits; walking it backwards gives the edits.
class ShortestEdit {
 public:
  ShortestEdit(const Lines& a, const Lines& b, std::size_t skip, std::size_t a_end, std::size_t b_end)
      : a_(a), b_(b), skip_(skip), n_(static_cast<long>(a_end - skip)), m_(static_cast<long>(b_end - skip)) {}

  /// Marks of the lines that are removed from a and added in b.
  void mark(std::vector<bool>& removed, std::vector<bool>& added) {
    long d = search();
    long x = n_;
    long y = m_;
    for (; d > 0; --d) {
      const long k = x - y;
      const bool down = k == -d || (k != d && at(d - 1, k - 1) < at(d - 1, k + 1));
      const long before_k = down ? k + 1 : k - 1;
      x = at(d - 1, before_k);
      y = x - before_k;
      if (down)
        added[skip_ + static_cast<std::size_t>(y)] = true;
      else
        removed[skip_ + static_cast<std::size_t>(x)] = true;
    }
  }

 private:
  long at(long d, long k) const { return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)]; }
  bool same(long x, long y) const {
    return a_[skip_ + static_cast<std::size_t>(x)] == b_[skip_ + static_cast<std::size_t>(y)];
  }

  long furthest(long d, long k) const {
    long x = 0;
    if (d > 0) x = k == -d || (k != d && at(d - 1, k - 1) < at(d - 1, k + 1)) ? at(d - 1, k + 1) : at(d - 1, k - 1) + 1;
    while (x < n_ && x - k < m_ && same(x, x - k)) ++x;
    return x;
  }

  long search() {
    for (long d = 0;; ++d) {
      trace_.emplace_back(static_cast<std::size_t>(2 * d + 1), -1);
      for (long k = -d; k <= d; k += 2) {
        const long x = furthest(d, k);
        trace_.back()[static_cast<std::size_t>(k + d)] = x;
        if (x >= n_ && x - k >= m_) return d;
      }
    }
  }

  const Lines &a_, &b_;
  std::size_t skip_;
  long n_, m_;
  std::vector<std::vector<long>> trace_;
};

void append_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

/// "12,5" as a hunk header counts it: from one, and from the line before when the range is empty.
std::string place(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

/// Changes whose contexts touch go into one hunk.
std::vector<std::vector<LineChange>> hunks_of(const std::vector<LineChange>& changes) {
  std::vector<std::vector<LineChange>> hunks;
  for (const auto& change : changes) {
    if (hunks.empty() || change.old_begin - hunks.back().back().old_end > 2 * context_lines) hunks.emplace_back();
    hunks.back().push_back(change);
  }
  return hunks;
}

std::string hunk_text(const std::vector<LineChange>& hunk, const Lines& a, const Lines& b) {
  const auto& first = hunk.front();
  const auto& last = hunk.back();
  const std::size_t lead = std::min(context_lines, first.old_begin);
  const std::size_t tail = std::min(context_lines, a.size() - last.old_end);
  std::string out = fmt::format("@@ -{} +{} @@\n", place(first.old_begin - lead, last.old_end + tail),
                                place(first.new_begin - lead, last.new_end + tail));
  std::size_t line = first.old_begin - lead;
  for (const auto& change : hunk) {
    for (; line < change.old_begin; ++line) append_line(out, ' ', a[line]);
    for (; line < change.old_end; ++line) append_line(out, '-', a[line]);
    for (std::size_t i = change.new_begin; i < change.new_end; ++i) append_line(out, '+', b[i]);
  }
  for (; line < last.old_end + tail; ++line) append_line(out, ' ', a[line]);
  return out;
}

std::string header(const std::string& path, bool is_new) {
  // A tab after a name with a space tells both `patch` and `git apply` where the name ends.
  const std::string end = path.find(' ') == std::string::npos ? "\n" : "\t\n";
  return (is_new ? "--- /dev/null\n" : "--- a/" + path + end) + "+++ b/" + path + end;
}

std::string file_diff(const std::string& path, std::string_view before, std::string_view after, bool is_new) {
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  const auto changes = line_changes(a, b);
  if (changes.empty()) return {};
  std::string out = header(path, is_new);
  for (const auto& hunk : hunks_of(changes)) out += hunk_text(hunk, a, b);
  return out;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto newline = text.find('\n');
    const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<LineChange> line_changes(const Lines& before, const Lines& after) {
  std::size_t skip = 0;
  while (skip < before.size() && skip < after.size() && before[skip] == after[skip]) ++skip;
  std::size_t a_end = before.size();
  std::size_t b_end = after.size();
  while (a_end > skip && b_end > skip && before[a_end - 1] == after[b_end - 1]) --a_end, --b_end;

  std::vector<bool> removed(before.size(), false);
  std::vector<bool> added(after.size(), false);
  ShortestEdit(before, after, skip, a_end, b_end).mark(removed, added);

  std::vector<LineChange> changes;
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < before.size() || y < after.size()) {
    LineChange change{x, x, y, y};
    while (x < before.size() && removed[x]) change.old_end = ++x;
    while (y < after.size() && added[y]) change.new_end = ++y;
    if (change.old_begin != change.old_end || change.new_begin != change.new_end)
      changes.push_back(change);
    else
      ++x, ++y;
  }
  return changes;
}

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  return file_diff(path, before, after, false);
}

std::string unified_diff(const Files& before, const Files& after) {
  std::string out;
  for (const auto& [path, text] : after) {
    const auto found = before.find(path);
    out += found == before.end() ? file_diff(path, "", text, true) : file_diff(path, found->second, text, false);
  }
  return out;
}

}  // namespace hone::patch
