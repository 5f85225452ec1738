#include "standin/hiprt/code_object.hpp"

#include <elf.h>

#include <cstring>
#include <regex>
#include <vector>

#include "device/cuda/entries.hpp"

namespace standin {
namespace {

using hone::device::gpu::Entry;

// MessagePack, always in its widest forms.
std::string big_endian(std::uint32_t value) {
  std::string out;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>(value >> shift & 0xFFU);
  return out;
}
std::string number(std::size_t value) { return '\xCE' + big_endian(static_cast<std::uint32_t>(value)); }
std::string text(const std::string& value) {
  return '\xDB' + big_endian(static_cast<std::uint32_t>(value.size())) + value;
}
std::string list(const std::vector<std::string>& items) {
  std::string out = '\xDD' + big_endian(static_cast<std::uint32_t>(items.size()));
  for (const auto& item : items) out += item;
  return out;
}
std::string map(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string out = '\xDF' + big_endian(static_cast<std::uint32_t>(fields.size()));
  for (const auto& [name, value] : fields) out += text(name) + value;
  return out;
}

/// ".maxntid 128, 1, 1" behind the kernel's name is its launch bound.
std::size_t bound_of(const std::string& ptx, const std::string& symbol) {
  const auto begin = ptx.find(".entry " + symbol + "(");
  const auto head = begin == std::string::npos ? std::string() : ptx.substr(begin, ptx.find('{', begin) - begin);
  static const std::regex bound("\\.maxntid (\\d+)(?:, *(\\d+))?(?:, *(\\d+))?");
  std::smatch found;
  if (!std::regex_search(head, found, bound)) return 1024;
  std::size_t threads = 1;
  for (std::size_t i = 1; i < 4; ++i)
    if (found[i].matched) threads *= std::stoul(found[i]);
  return threads;
}

std::string kernel_of(const std::string& ptx, const Entry& entry) {
  std::vector<std::string> arguments;
  for (const auto bytes : entry.parameter_bytes)
    arguments.push_back(map({{".size", number(bytes)}, {".value_kind", text("by_value")}}));
  arguments.push_back(map({{".size", number(8)}, {".value_kind", text("hidden_global_offset_x")}}));
  return map({{".name", text(entry.symbol)},
              {".symbol", text(entry.symbol + ".kd")},
              {".args", list(arguments)},
              {".max_flat_workgroup_size", number(bound_of(ptx, entry.symbol))},
              {".wavefront_size", number(32)}});
}

std::string note_of(const std::string& ptx) {
  std::vector<std::string> kernels;
  for (const auto& entry : hone::device::cuda::entries_of(ptx)) kernels.push_back(kernel_of(ptx, entry));
  auto description = map({{"amdhsa.kernels", list(kernels)}, {"amdhsa.target", text("amdgcn-amd-amdhsa--gfx1030")}});
  const Elf64_Nhdr header{7, static_cast<Elf64_Word>(description.size()), 32};
  description.resize((description.size() + 3) / 4 * 4);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + std::string("AMDGPU\0\0", 8) +
         description;
}

struct Section {
  Elf64_Word type;
  Elf64_Word link;
  std::string bytes;
};

std::string file_of(const std::vector<Section>& sections) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 224;  // AMD's GPUs
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shoff = sizeof header;
  std::string heads, bodies;
  for (const auto& section : sections) {
    Elf64_Shdr head{};
    head.sh_type = section.type;
    head.sh_link = section.link;
    head.sh_offset = sizeof header + sections.size() * sizeof head + bodies.size();
    head.sh_size = section.bytes.size();
    heads.append(reinterpret_cast<const char*>(&head), sizeof head);
    bodies += section.bytes;
  }
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + heads + bodies;
}

}  // namespace

std::string code_object_of(const std::string& ptx) {
  std::string names(1, '\0'), symbols(sizeof(Elf64_Sym), '\0');
  const auto add = [&](const std::string& name) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    names += name + '\0';
    symbols.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
  };
  for (const auto& [name, symbol] : hone::device::cuda::variables_of(ptx)) add(symbol);
  for (const auto& entry : hone::device::cuda::entries_of(ptx)) add(entry.symbol + ".kd");
  return file_of({{SHT_NULL, 0, {}},
                  {SHT_NOTE, 0, note_of(ptx)},
                  {SHT_DYNSYM, 3, symbols},
                  {SHT_STRTAB, 0, names},
                  {SHT_PROGBITS, 0, ptx + '\0'}});
}

std::string ptx_in(const void* object) {
  const auto* bytes = static_cast<const char*>(object);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0) return {};
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr head;
    std::memcpy(&head, bytes + header.e_shoff + static_cast<std::size_t>(i) * sizeof head, sizeof head);
    if (head.sh_type == SHT_PROGBITS) return bytes + head.sh_offset;
  }
  return {};
}

}  // namespace standin
