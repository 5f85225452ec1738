#pragma once
// Where device code lies in an application: in files of its own, in raw strings, in runs of adjacent string literals.
// In: all files. Out: each text decoded, cut into its top-level items, with every byte's place in the file.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "core/language.hpp"
#include "source/host_tokens.hpp"

namespace hone::source::host {

/// One declaration, definition or directive at the top level of device code.
struct Item {
  enum class Kind { Kernel, Function, Macro, Conditional, Pragma, Include, Other };
  Kind kind = Kind::Other;
  ByteRange range;                      // in DeviceText::text, from its first to its last token
  std::vector<std::string> declares;    // names it gives a meaning to
  std::set<std::string> mentions;       // every word in it
  std::vector<std::size_t> conditions;  // items of the #if lines around it, outermost first
  std::optional<std::size_t> group;     // of #else, #elif, #endif: the #if they belong to
  std::string directive;                // of a directive: "if", "else", "endif", "define", ...
};

struct DeviceText {
  std::string file;
  Embedding embedding = Embedding::File;
  Language language = Language::OpenCL;
  std::string text;
  std::vector<std::size_t> places;  // of each byte of `text` in the file, plus one past the end
  std::vector<Item> items;
  /// Bytes of the file that a range of the text came from.
  ByteRange in_file(ByteRange range) const;
};

std::vector<Item> items_of(std::string_view text);
/// Every text that defines a kernel, and every file a device text may include.
std::vector<DeviceText> device_texts(const Files& files);
/// The file as device text, whether it has kernels or not.
DeviceText device_file(const std::string& path, const std::string& text);

bool is_host_file(const std::string& path);
bool is_device_file(const std::string& path);
Language language_of(const std::string& path);

}  // namespace hone::source::host
