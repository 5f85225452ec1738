#pragma once
// Differences between texts, by lines. In: two texts, or two sets of files. Out: the shortest list of changed line
// ranges, or a unified diff that `patch -p1` and `git apply` take. Bytes are never normalised: a line keeps its own
// ending.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.hpp"

namespace hone::patch {

/// Lines with their endings; the last one has none when the text does not end in a newline.
std::vector<std::string_view> lines_of(std::string_view text);

/// Lines [old_begin, old_end) of the one text became [new_begin, new_end) of the other.
struct LineChange {
  std::size_t old_begin, old_end, new_begin, new_end;
  bool operator==(const LineChange&) const = default;
};
/// As few lines as possible, in order.
std::vector<LineChange> line_changes(const std::vector<std::string_view>& before,
                                     const std::vector<std::string_view>& after);

/// One file, three lines of context; empty when nothing differs.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);
/// All files of `after`, in the order of their names. A file that is absent from `before` is new.
std::string unified_diff(const Files& before, const Files& after);

}  // namespace hone::patch
