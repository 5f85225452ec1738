// libFuzzer: a file of a tree as the kernel finder gets it. The first byte chooses what kind of file it is; the rest is
// its text, and a header beside it where a zero byte cuts it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "source/device_text.hpp"

namespace {

using hone::Files;
namespace host = hone::source::host;

void require(bool holds) {
  if (!holds) std::abort();
}

void hold(const host::DeviceText& text, const Files& files) {
  require(text.places.empty() || text.places.size() == text.text.size());
  for (std::size_t i = 1; i < text.segments.size(); ++i) require(text.segments[i - 1].begin <= text.segments[i].begin);
  for (const auto& item : text.items) {
    require(item.range.begin <= item.range.end && item.range.end <= text.text.size());
    for (const auto& piece : text.pieces_of(item.range)) {
      const auto file = files.find(piece.file);
      require(piece.file.empty() || file != files.end());
      if (file != files.end()) require(piece.there.begin <= piece.there.end && piece.there.end <= file->second.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr const char* names[] = {"k.cl", "a.c", "a.cpp", "a.py", "a.cu", "notes.txt", "a.inc", "Makefile"};
  if (size == 0) return 0;
  const std::string all(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto cut = all.find('\0');
  const Files files = {{names[data[0] % std::size(names)], all.substr(0, cut)},
                       {"beside.h", cut == std::string::npos ? std::string() : all.substr(cut + 1)}};
  const auto found = host::device_texts(files);
  for (const auto& text : found.kernels) hold(text, files);
  for (const auto& text : found.libraries) hold(text, files);
  return 0;
}
