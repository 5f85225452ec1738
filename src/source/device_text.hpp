#pragma once
// Device code of an application, wherever it stands: in files of any suffix, in string literals, raw strings and arrays
// of strings, in blocks that a macro makes a string of, in Python's strings. In: all files. Out: each text decoded, cut
// into its top-level items, with every byte's place in the files. Words of macros that hide what a kernel is, and
// invocations of macros that make one, are replaced by what they stand for; these bytes are marked as computed.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "core/language.hpp"
#include "source/items.hpp"

namespace hone::source::host {

/// A run of a text's bytes that stand in one file in one way.
struct Segment {
  std::size_t begin = 0;  // in the text; it ends where the next one begins
  std::string file;
  Embedding embedding = Embedding::File;
  bool computed = false;  // made by a macro: all of it stands for the place of its first byte
};

struct DeviceText {
  std::string file;  // of its first segment that is in a file
  Embedding embedding = Embedding::File;
  Language language = Language::OpenCL;
  std::string text;
  std::vector<Segment> segments;
  std::vector<ByteRange> places;  // of each byte of `text` in its segment's file; none: the text is the file
  Macros macros;                  // that it defines, and its headers
  std::vector<Item> items;

  /// A range of the text as pieces, `here` relative to the range's begin.
  std::vector<OriginPiece> pieces_of(ByteRange range) const;
  /// Bytes of the file that its first byte's segment gives to a range.
  OriginPiece first_piece(ByteRange range) const;
  void append(const DeviceText& other);
  /// Ranges in order, each with what stands there instead.
  void replace(const std::vector<std::pair<ByteRange, std::string>>& changes);
};

/// Macros of any file that stand for `__kernel`, or make a kernel.
Macros kernel_macros(const Files& files);
/// Hidden words replaced, then cut into items.
void cut(DeviceText& text, const Macros& hiding);

struct DeviceTexts {
  std::vector<DeviceText> kernels;    // define at least one
  std::vector<DeviceText> libraries;  // strings that look like device code and define none
  std::vector<std::string> notes;
};
DeviceTexts device_texts(const Files& files);
/// The file as device text, whether it has kernels or not.
DeviceText device_file(const std::string& path, const std::string& text, const Macros& hiding = {});

/// Texts in the strings of C, C++ and languages with such literals (embedded_text.cpp), and of Python
/// (python_text.cpp).
std::vector<DeviceText> texts_in_strings(const std::string& path, const std::string& text, const Macros& macros);
std::vector<DeviceText> texts_in_python(const std::string& path, const std::string& text);

bool is_host_file(const std::string& path);
bool is_document(const std::string& path);
Language language_of(const std::string& path, const std::string& text);
/// The file that `#include "wanted"` in `from` means: beside it, in a folder of -I, at the root, then the nearest.
std::string resolve_include(const Files& files, const std::string& from, const std::string& wanted,
                            const std::vector<std::string>& folders);

}  // namespace hone::source::host
