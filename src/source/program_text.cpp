#include "source/program_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::source {
namespace {

using host::DeviceText;
using host::Item;

bool holds_place(const DeviceText& text, const std::string& file, ByteRange range) {
  for (const auto& piece : text.pieces_of({0, text.text.size()})) {
    if (piece.file != file || piece.embedding == Embedding::File) continue;
    // The quotes and the macro's name stand a little before the text.
    constexpr std::size_t slack = 4;
    if (piece.there.begin < range.end + slack && range.begin < piece.there.end + slack) return true;
  }
  return false;
}

bool holds_piece(const DeviceText& text, const ProgramText::Piece& piece) {
  if (piece.file.empty()) return false;
  if (piece.whole_file) return text.file == piece.file && text.embedding == Embedding::File;
  return holds_place(text, piece.file, piece.range);
}

const DeviceText* text_of(const Scan& scan, const ProgramText::Piece& piece) {
  for (const auto* texts : {&scan.device->kernels, &scan.device->libraries}) {
    for (const auto& text : *texts) {
      if (holds_piece(text, piece)) return &text;
    }
  }
  return nullptr;
}

bool declares(const Item& item, const std::string& name) {
  return item.kind != Item::Kind::Kernel && item.directive != "undef" &&
         std::ranges::find(item.declares, name) != item.declares.end();
}

/// A variable of host code is none of device code.
bool fits_device(const DeviceText& text, const Item& item) {
  if (item.kind != Item::Kind::Other || text.language != Language::OpenCL) return true;
  const auto start = std::string_view(text.text).substr(item.range.begin, 8);
  const bool type = start.starts_with("typedef") || start.starts_with("struct") || start.starts_with("enum") ||
                    start.starts_with("union");
  return type || item.mentions.contains("__constant") || item.mentions.contains("constant");
}

bool any_declares(const DeviceText& text, const std::string& name) {
  return std::ranges::any_of(text.items,
                             [&](const Item& item) { return declares(item, name) && fits_device(text, item); });
}

std::size_t nearness(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()) + (a == b ? 1000 : 0);
}

}  // namespace

std::vector<const ProgramText*> programs_of(const Scan& scan, const DeviceText& text, const std::string& kernel) {
  std::vector<const ProgramText*> out;
  for (const auto& program : scan.texts) {
    const bool of_text =
        std::ranges::any_of(program.pieces, [&](const ProgramText::Piece& piece) { return holds_piece(text, piece); });
    const bool of_kernel =
        program.pieces.empty() && std::ranges::find(program.kernels, kernel) != program.kernels.end();
    if (of_text || of_kernel) out.push_back(&program);
  }
  std::ranges::stable_sort(out, {}, [&](const ProgramText* program) {
    return std::ranges::find(program->kernels, kernel) == program->kernels.end();
  });
  return out;
}

DeviceText joined_text(const Scan& scan, const std::vector<const ProgramText*>& programs, const DeviceText& text,
                       const Files& application) {
  for (const auto* program : programs) {
    std::vector<const DeviceText*> parts;
    DeviceText out;
    for (const auto& piece : program->pieces) {
      if (piece.file.empty()) {
        if (piece.text.empty()) continue;
        DeviceText computed;
        computed.text = piece.text;
        computed.places.resize(piece.text.size());
        computed.segments = {{0, {}, Embedding::StringLiterals, true}};
        out.append(computed);
        continue;
      }
      const auto* part = text_of(scan, piece);
      if (part != nullptr && std::ranges::find(parts, part) == parts.end()) {
        parts.push_back(part);
        out.append(*part);
      } else if (part == nullptr && piece.whole_file && application.contains(piece.file)) {
        out.append(host::device_file(piece.file, application.at(piece.file)));
      }
    }
    if (std::ranges::find(parts, &text) == parts.end() || out.text.size() <= text.text.size()) continue;
    out.file = text.file;
    out.embedding = text.embedding;
    out.language = text.language;
    out.macros = text.macros;
    host::cut(out, {});
    return out;
  }
  return text;
}

std::optional<DeviceText> text_declaring(const Scan& scan, const std::string& name, const DeviceText& from,
                                         const std::deque<DeviceText>& used, const Files& application) {
  const auto known = [&](const std::string& file, const std::string& text) {
    return std::ranges::any_of(used, [&](const DeviceText& one) { return one.file == file && one.text == text; });
  };
  const bool opencl = from.language == Language::OpenCL;
  const auto fits = [&](Language language, const std::string& text) {
    if (!opencl) return true;
    return language == Language::OpenCL && text.find("__device__") == std::string::npos &&
           text.find("blockIdx") == std::string::npos && text.find("blockDim") == std::string::npos &&
           text.find("threadIdx") == std::string::npos && text.find("std::") == std::string::npos &&
           text.find("namespace ") == std::string::npos;
  };
  std::vector<const DeviceText*> strings;
  for (const auto* texts : {&scan.device->libraries, &scan.device->kernels}) {
    for (const auto& text : *texts) {
      if (text.text != from.text && fits(text.language, text.text) && text.text.find(name) != std::string::npos)
        strings.push_back(&text);
    }
  }
  std::ranges::stable_sort(strings, std::greater{},
                           [&](const DeviceText* text) { return nearness(text->file, from.file); });
  if (strings.size() > 24) strings.resize(24);
  for (const auto* text : strings) {
    if (any_declares(*text, name) && !known(text->file, text->text)) return *text;
  }
  std::vector<const std::pair<const std::string, std::string>*> files;
  for (const auto& file : application) {
    const bool unit = file.first.ends_with(".c") || file.first.ends_with(".cpp") || file.first.ends_with(".cc") ||
                      file.first.ends_with(".cxx") || file.first.ends_with(".py") || file.first == from.file;
    if (unit || host::is_document(file.first) || file.second.find(name) == std::string::npos) continue;
    if (fits(host::language_of(file.first, file.second), file.second)) files.push_back(&file);
  }
  std::ranges::stable_sort(files, std::greater{}, [&](const auto* file) { return nearness(file->first, from.file); });
  if (files.size() > 8) files.resize(8);
  for (const auto* file : files) {
    auto text = host::device_file(file->first, file->second);
    if (any_declares(text, name) && !known(text.file, text.text)) return text;
  }
  return std::nullopt;
}

}  // namespace hone::source
