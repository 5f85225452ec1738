#include <fmt/format.h>

#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;
using Names = std::map<std::string, std::string>;

Expression with_names(const Expression& e, const Names& names) {
  return e.substitute([&](std::string_view name) -> std::optional<Expression> {
    const auto found = names.find(std::string(name));
    return found == names.end() ? std::nullopt : std::optional(Expression::name(found->second));
  });
}

void rename(std::vector<Event>& events, const Names& names, int depth) {
  if (depth > 40) return;
  for (auto& event : events) {
    if (const auto found = names.find(event.note); found != names.end()) event.note = found->second;
    for (auto& [index, argument] : event.launch.arguments) argument.value = with_names(argument.value, names);
    rename(event.body, names, depth + 1);
  }
}

void used_in(const std::vector<Event>& events, std::set<std::string>& out) {
  const auto add = [&](const Expression& e) {
    for (const auto& name : e.names()) out.insert(name);
  };
  for (const auto& event : events) {
    for (const auto* list : {&event.launch.global, &event.launch.local, &event.launch.offset})
      std::ranges::for_each(*list, add);
    for (const auto& [index, argument] : event.launch.arguments) {
      add(argument.value);
      for (const auto& [name, field] : argument.fields) add(field);
    }
    add(event.begin);
    add(event.end);
    used_in(event.body, out);
  }
}

std::string channel_order(std::int64_t code) {
  switch (code) {
    case 0x10B0: return "R";
    case 0x10B1: return "A";
    case 0x10B2: return "RG";
    case 0x10B3: return "RA";
    case 0x10B4: return "RGB";
    case 0x10B5: return "RGBA";
    case 0x10B6: return "BGRA";
    case 0x10B7: return "ARGB";
    case 0x10B8: return "INTENSITY";
    case 0x10B9: return "LUMINANCE";
    default: return {};
  }
}
std::string channel_type(std::int64_t code) {
  switch (code) {
    case 0x10D0: return "snorm_int8";
    case 0x10D1: return "snorm_int16";
    case 0x10D2: return "unorm_int8";
    case 0x10D3: return "unorm_int16";
    case 0x10D7: return "signed_int8";
    case 0x10D8: return "signed_int16";
    case 0x10D9: return "signed_int32";
    case 0x10DA: return "unsigned_int8";
    case 0x10DB: return "unsigned_int16";
    case 0x10DC: return "unsigned_int32";
    case 0x10DD: return "half";
    case 0x10DE: return "float";
    default: return {};
  }
}

const HostValue* part(const HostValue& value, const std::string& name) {
  if (!value.parts) return nullptr;
  const auto found = value.parts->fields.find(name);
  return found == value.parts->fields.end() ? nullptr : &found->second;
}

std::optional<Expression> number_in(const HostValue& value, const std::string& name) {
  const auto* held = part(value, name);
  return held != nullptr && held->is(VK::Number) ? std::optional(held->number) : std::nullopt;
}

ProgramText program_text(const HostValue& held) {
  ProgramText out;
  if (const auto* place = part(held, "place")) out.place = place->text;
  if (const auto* options = part(held, "options"); options != nullptr && options->is(VK::Text))
    out.options = options->text;
  if (const auto* options = part(held, "options"); options != nullptr && options->is(VK::Text) && options->numbers)
    for (const auto& one : *options->numbers) out.numbers.push_back({one.begin, one.end, one.value});
  for (std::int64_t i = 0; held.parts; ++i) {
    const auto found = held.parts->elements.find(i);
    if (found == held.parts->elements.end()) break;
    const auto& source = found->second;
    if (!source.is(VK::Text)) {
      out.unknown = source.is(VK::Unknown) ? source.text : print(source);
      continue;
    }
    if (!source.pieces) {
      out.pieces.push_back({{}, {}, false, false, source.text});
      continue;
    }
    std::size_t at = 0;
    for (const auto& piece : *source.pieces) {
      const auto computed = piece.file.empty() && at <= source.text.size();
      out.pieces.push_back({piece.file,
                            {piece.begin, piece.end},
                            piece.whole_file,
                            piece.in_macro,
                            computed ? source.text.substr(at, piece.length) : std::string()});
      at += piece.length;
    }
  }
  return out;
}

}  // namespace

/// Buffers get the names of the variables that held them, each its own; what was noted by object is noted by name.
void Machine::finish() {
  std::map<std::string, std::vector<std::int32_t>> wishes;
  for (const auto slot : buffers_) {
    auto wish = buffer_names_[slot].name;
    if (wish.empty()) wish = "buffer";
    wishes[wish].push_back(slot);
  }
  Names names;
  std::set<std::string> taken;
  for (const auto& [name, value] : trace_.symbols) taken.insert(name);
  for (const auto& name : loop_names_) taken.insert(name);
  const auto unique = [&](std::string base) {
    for (auto& c : base) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    static const std::set<std::string> words = {"in",  "and", "or",   "not",   "if",     "else",  "min",
                                                "max", "abs", "true", "false", "launch", "device"};
    if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])) != 0 || words.contains(base)) base += "_";
    auto name = base;
    for (int n = 2; taken.contains(name); ++n) name = fmt::format("{}_{}", base, n);
    taken.insert(name);
    return name;
  };
  for (const auto& [wish, slots] : wishes) {
    std::set<std::string> owners;
    for (const auto slot : slots) owners.insert(buffer_names_[slot].owner);
    const bool by_owner = slots.size() > 1 && owners.size() == slots.size() && !owners.contains("");
    for (const auto slot : slots)
      names["buffer#" + std::to_string(slot)] = unique(by_owner ? buffer_names_[slot].owner : wish);
  }
  rename(trace_.events, names, 0);
  std::set<std::string> used;
  used_in(trace_.events, used);
  for (const auto slot : buffers_) {
    const auto held = memory_.load({slot, {}, false});
    for (const auto* field : {"bytes", "width", "height", "depth"}) {
      if (const auto size = number_in(held, field)) {
        for (const auto& name : size->names()) used.insert(name);
      }
    }
  }
  std::erase_if(trace_.symbols, [&](const auto& symbol) { return !used.contains(symbol.first); });
  std::erase_if(trace_.symbol_provenance, [&](const auto& symbol) { return !used.contains(symbol.first); });
  for (const auto slot : buffers_) {
    HostBuffer made;
    made.name = names["buffer#" + std::to_string(slot)];
    const auto held = memory_.load({slot, {}, false});
    made.bytes = number_in(held, "bytes");
    if (const auto* bytes = part(held, "bytes"); bytes != nullptr)
      made.provenance.kind = bytes->is(VK::Number) ? bytes->from : Provenance::Kind::Guessed;
    if (const auto* place = part(held, "place")) made.provenance.place = place->text;
    if (const auto* flags = part(held, "flags"); flags != nullptr && flags->whole()) {
      made.kernels_only_read = (*flags->whole() & 4) != 0;
      made.kernels_only_write = (*flags->whole() & 2) != 0;
    }
    if (held.text == "#image") {
      HostImage image;
      if (const auto* order = part(held, "order"); order != nullptr && order->whole())
        image.channel_order = channel_order(*order->whole());
      if (const auto* type = part(held, "type"); type != nullptr && type->whole())
        image.channel_type = channel_type(*type->whole());
      image.width = number_in(held, "width");
      image.height = number_in(held, "height");
      image.depth = number_in(held, "depth");
      made.image = std::move(image);
    }
    trace_.buffers.push_back(std::move(made));
  }
  for (std::size_t slot = 0; slot < memory_.size(); ++slot) {
    const auto& held = memory_.whole(static_cast<std::int32_t>(slot));
    if (!held.is(VK::Record) || held.text != "#program") continue;
    auto made = program_text(held);
    for (std::size_t other = 0; other < memory_.size(); ++other) {
      const auto& kernel = memory_.whole(static_cast<std::int32_t>(other));
      if (!kernel.is(VK::Record) || kernel.text != "#kernel") continue;
      const auto* of = part(kernel, "program");
      const auto* name = part(kernel, "name");
      if (of != nullptr && of->is_handle("program") && of->at.slot == static_cast<std::int32_t>(slot) &&
          name != nullptr && name->is(VK::Text) && std::ranges::find(made.kernels, name->text) == made.kernels.end())
        made.kernels.push_back(name->text);
    }
    trace_.programs.push_back(std::move(made));
  }
}

}  // namespace hone::host
