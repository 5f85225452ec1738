#include "device/hip/code_object.hpp"

#include <elf.h>

#include <cstring>
#include <optional>

#include "device/hip/message_pack.hpp"

namespace hone::device::hip {
namespace {

/// What the compiler calls it, and what we do.
constexpr std::pair<const char*, const char*> kNumbers[] = {
    {".group_segment_fixed_size", "local_bytes"},
    {".private_segment_fixed_size", "private_bytes"},
    {".vgpr_count", "vector_registers"},
    {".agpr_count", "accumulation_registers"},
    {".sgpr_count", "scalar_registers"},
    {".vgpr_spill_count", "spilled_registers"},
    {".max_flat_workgroup_size", "work_group_size"},
    {".wavefront_size", "preferred_multiple"},
};

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return {};
  return bytes.substr(offset, size);
}

std::vector<Elf64_Shdr> sections_of(std::string_view object) {
  std::vector<Elf64_Shdr> all;
  const auto header = at<Elf64_Ehdr>(object, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return all;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i)
    if (const auto section = at<Elf64_Shdr>(object, header->e_shoff + i * sizeof(Elf64_Shdr))) all.push_back(*section);
  return all;
}

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

/// The description of the note that AMD's compilers write.
std::string_view metadata_in(std::string_view notes) {
  constexpr std::uint32_t kMetadata = 32;
  for (std::uint64_t begin = 0; begin < notes.size();) {
    const auto note = at<Elf64_Nhdr>(notes, begin);
    if (!note) break;
    const auto name = begin + sizeof *note, description = name + aligned(note->n_namesz);
    if (note->n_type == kMetadata && part(notes, name, note->n_namesz).starts_with("AMDGPU"))
      return part(notes, description, note->n_descsz);
    begin = description + aligned(note->n_descsz);
  }
  return {};
}

/// Those that the host gives: what the runtime adds behind them is hidden.
std::vector<std::size_t> parameters_of(const MessagePack& kernel) {
  std::vector<std::size_t> out;
  for (const auto& argument : kernel.items(".args"))
    if (!argument.text(".value_kind").starts_with("hidden_"))
      out.push_back(static_cast<std::size_t>(argument.number(".size")));
  return out;
}

gpu::Entry entry_of(const MessagePack& kernel) {
  gpu::Entry entry;
  entry.symbol = kernel.text(".name");
  entry.name = gpu::source_name(entry.symbol);
  entry.parameter_bytes = parameters_of(kernel);
  for (const auto& [theirs, ours] : kNumbers)
    if (kernel.has(theirs)) entry.numbers[ours] = kernel.number(theirs);
  entry.numbers["registers"] = entry.numbers["vector_registers"] + entry.numbers["accumulation_registers"];
  return entry;
}

/// Data that is exported: the names of kernels' descriptors and of the compiler's own are not the source's.
std::map<std::string, std::string> variables_in(std::string_view object, const std::vector<Elf64_Shdr>& sections) {
  std::map<std::string, std::string> out;
  for (const auto& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const auto& names = sections[section.sh_link];
    const auto texts = part(object, names.sh_offset, names.sh_size);
    for (std::uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(object, section.sh_offset + i * sizeof(Elf64_Sym));
      if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_name >= texts.size()) continue;
      const auto text = texts.substr(symbol->st_name);
      const std::string name(text.substr(0, text.find('\0')));
      if (name.ends_with(".kd") || name.starts_with("__hip") || name.find("__HIP_") != std::string::npos) continue;
      out[gpu::source_name(name)] = name;
    }
  }
  return out;
}

}  // namespace

Result<gpu::Code> read_code_object(const std::string& object) {
  const auto sections = sections_of(object);
  std::optional<MessagePack> metadata;
  for (const auto& section : sections)
    if (section.sh_type == SHT_NOTE)
      if (const auto text = metadata_in(part(object, section.sh_offset, section.sh_size)); !text.empty())
        metadata = MessagePack::read(text);
  if (!metadata) return fail("E-CODE", "what the compiler made is no code object of AMD GPUs");
  gpu::Code code;
  for (const auto& kernel : metadata->items("amdhsa.kernels")) code.entries.push_back(entry_of(kernel));
  code.variables = variables_in(object, sections);
  code.images = {object};
  return code;
}

}  // namespace hone::device::hip
