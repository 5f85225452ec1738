#pragma once
// The device text inside one file: the file itself, a raw string, a run of string literals, a block that a macro makes
// a string of, a string of Python. In: the file and a place in it. Out: the decoded text, and edits of that text turned
// into edits of the file's bytes: quoted, escaped and laid out as the file does it.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/origin.hpp"
#include "patch/diff.hpp"

namespace hone::patch {

struct Edit {
  ByteRange range;
  std::string text;
};
/// Edits must not overlap; several at one place apply in the order given.
std::string apply_edits(const std::string& text, std::vector<Edit> edits);

/// Bytes of the file that stand for other text: a macro between literals, a word that hides another, a kernel that a
/// macro makes.
struct Hole {
  ByteRange there;
  std::string text;
};

class Region {
 public:
  /// `at` is any byte of the kernel in the file, `reach` the bytes it spans when its literals are elements of an array.
  /// E-ORIGIN when no text of that embedding is there.
  static Result<Region> find(const std::string& file, Embedding embedding, std::size_t at,
                             const std::vector<Hole>& holes = {}, ByteRange reach = {});

  /// With "\n" at the end of every line, whatever the file uses.
  const std::string& text() const { return text_; }
  /// The first decoded byte at or after a place in the file.
  std::size_t decoded(std::size_t place) const;
  /// A replacement of whole decoded lines, as edits of the file. E-ORIGIN when the text cannot stand in this embedding.
  Result<std::vector<Edit>> encode(const Edit& edit) const;
  /// The same for a whole new decoded text: only the lines that differ are touched.
  Result<std::vector<Edit>> encode_all(const std::string& text) const;
  ByteRange extent() const { return {begin_, end_}; }

 private:
  Region(const std::string& file, Embedding embedding) : file_(file), embedding_(embedding) {}
  Status find_block(std::size_t at);
  Status find_python(std::size_t at);
  void decode_plain(std::size_t begin, std::size_t end);
  void decode_literal(std::size_t begin, std::size_t end);
  void decode_python(std::size_t begin, std::size_t end);
  void fill(const Hole& hole);
  std::vector<LineChange> whole_changes(std::vector<LineChange> changes) const;
  std::optional<Edit> as_literals(const std::vector<LineChange>& changes, const std::string& text) const;
  Edit encode_quoted(const Edit& edit) const;
  Edit drop_quoted(std::size_t begin, std::size_t end) const;

  std::string file_;
  Embedding embedding_;
  std::size_t begin_ = 0, end_ = 0;
  std::string text_, newline_ = "\n", closing_, macro_;
  std::vector<Hole> holes_;
  std::string quote_ = "\"";
  bool in_python_ = false, verbatim_ = false, doubles_braces_ = false, takes_commas_ = true;
  bool plain_tabs_ = false;        // a literal of it has a tab that is not escaped
  std::vector<ByteRange> places_;  // of each decoded byte in the file
};

/// A C string literal's inside: quotes, backslashes and control characters escaped. Non-ASCII bytes stay as they are.
/// A tab is one of them unless the literals around have theirs as they are.
std::string escaped(std::string_view text, bool plain_tabs = false);

}  // namespace hone::patch
