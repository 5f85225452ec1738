#pragma once
// The device text inside one file: the file itself, a raw string, a run of adjacent string literals or of an array of
// them, the inside of a macro's brackets that is made a string of, a long string of Python. In: the file
// and a place in it. Out: the decoded text, and edits of that text turned into edits of the file's bytes: quoted,
// escaped and laid out as the file does it.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/origin.hpp"

namespace hone::patch {

struct Edit {
  ByteRange range;
  std::string text;
};
/// Edits must not overlap; several at one place apply in the order given.
std::string apply_edits(const std::string& text, std::vector<Edit> edits);

class Region {
 public:
  /// `at` is any byte of the kernel in the file. E-ORIGIN when no text of that embedding is there.
  static Result<Region> find(const std::string& file, Embedding embedding, std::size_t at);

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
  static Result<Region> in_brackets(const std::string& file, std::size_t at);
  static Result<Region> in_python(const std::string& file, std::size_t at);
  void decode_plain(std::size_t begin, std::size_t end);
  Status stands_in_brackets(const std::string& text) const;
  void decode_literal(std::size_t begin, std::size_t end);
  Edit encode_quoted(const Edit& edit) const;
  Edit drop_quoted(std::size_t begin, std::size_t end) const;

  std::string file_;
  Embedding embedding_;
  std::size_t begin_ = 0, end_ = 0;
  std::string text_, newline_ = "\n", closing_;
  bool takes_commas_ = true;       // of Stringized: the macro takes any number of arguments
  bool escapes_ = false;           // of Python: a backslash is written twice
  std::vector<ByteRange> places_;  // of each decoded byte in the file
};

/// A C string literal's inside: quotes, backslashes and control characters escaped. Non-ASCII bytes stay as they are.
std::string escaped(std::string_view text);

}  // namespace hone::patch
