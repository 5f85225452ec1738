#include "mep/proposed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "core/launch_walk.hpp"

namespace hone::mep {
namespace {

Provenance guessed_by(const std::string& who) { return {Provenance::Kind::Guessed, "by " + who}; }

std::vector<std::string> parameters_of(const ir::Unit& unit, const std::string& kernel) {
  std::vector<std::string> out;
  const auto function = ir::find_function(unit, kernel);
  if (function == nullptr) return out;
  for (const auto& parameter : ir::parameters_of(function)) out.push_back(parameter->text);
  return out;
}

HostArgument::Kind kind_of(const ir::NodePtr& parameter) {
  const auto& type = parameter->type;
  if (!type.is_pointer()) return HostArgument::Kind::Scalar;
  return type.pointee->space == ir::AddressSpace::Local ? HostArgument::Kind::Local : HostArgument::Kind::Buffer;
}

/// The first launch of this kernel that the host's code has.
const HostLaunch* launch_of(const HostProgram& host, const std::string& kernel) {
  const HostLaunch* out = nullptr;
  each_launch(host.steps, [&](const HostLaunch& launch) {
    if (out == nullptr && launch.kernel == kernel) out = &launch;
  });
  return out;
}

bool is_known(const HostArgument& argument) { return argument.kind != HostArgument::Kind::Unknown; }

/// Nothing is missing of any launch, and there is one of each kernel.
bool launches_are_known(const Extraction& extraction) {
  bool known = true;
  each_launch(extraction.host.steps, [&](const HostLaunch& launch) {
    known = known && !launch.global.empty() &&
            std::ranges::all_of(launch.arguments, [](const auto& entry) { return is_known(entry.second); });
  });
  return known && std::ranges::all_of(extraction.kernels, [&](const std::string& kernel) {
           return launch_of(extraction.host, kernel) != nullptr;
         });
}

/// One proposed launch; what the host's code says of the kernel's own stays.
Result<HostLaunch> launch_from(const ProposedLaunch& proposed, const HostProgram& host, const ir::Unit& unit,
                               const std::string& who) {
  const auto* said = launch_of(host, proposed.kernel);
  HostLaunch out = said != nullptr ? *said : HostLaunch{};
  out.kernel = proposed.kernel;
  if (out.global.empty()) {
    out.global = proposed.global;
    out.local = proposed.local;
    out.local_is_null = proposed.local.empty();
    out.sizes = guessed_by(who);
  }
  if (out.place.empty()) out.place = who;
  const auto names = parameters_of(unit, proposed.kernel);
  const auto function = ir::find_function(unit, proposed.kernel);
  for (const auto& [name, value] : proposed.arguments) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return fail("E-COMPLETE", fmt::format("{} has no argument {}", proposed.kernel, name));
    const auto position = static_cast<std::size_t>(found - names.begin());
    const auto known = out.arguments.find(position);
    if (known != out.arguments.end() && is_known(known->second)) continue;
    HostArgument argument;
    argument.kind = kind_of(ir::parameters_of(function)[position]);
    argument.value = value;
    argument.provenance = guessed_by(who);
    out.arguments.insert_or_assign(position, std::move(argument));
  }
  return out;
}

/// In order; launches beside each other in the same loop are its body.
Result<std::vector<HostStep>> steps_from(const Completion& proposed, const HostProgram& host, const ir::Unit& unit,
                                         const std::string& who) {
  std::vector<HostStep> out;
  for (const auto& one : proposed.launches) {
    auto launch = launch_from(one, host, unit, who);
    if (!launch) return fail(std::move(launch).error());
    if (one.loop.empty()) {
      out.emplace_back(std::move(*launch));
      continue;
    }
    auto* last = out.empty() ? nullptr : std::get_if<HostLoop>(&out.back());
    if (last == nullptr || last->variable != one.loop || last->begin != one.begin || last->end != one.end) {
      out.emplace_back(HostLoop{one.loop, one.begin, one.end, {}});
      last = std::get_if<HostLoop>(&out.back());
    }
    last->body.emplace_back(std::move(*launch));
  }
  return out;
}

bool mentions(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

/// What was made of a name by its use alone (a type that nobody declares is taken for float) gives way to whoever says
/// what it is.
void drop_guesses(Extraction& extraction, const Completion& proposed) {
  std::erase_if(extraction.defines, [&](const Define& define) {
    const bool guessed = define.provenance.kind == Provenance::Kind::Guessed;
    if (!guessed || (!proposed.defines.contains(define.name) && !mentions(proposed.stubs, define.name))) return false;
    std::erase_if(extraction.notes,
                  [&](const std::string& note) { return note.starts_with("-D" + define.name + "="); });
    return true;
  });
}

/// The host's buffer that a kernel gets as this argument; the argument's own name where nothing says it.
std::string buffer_called(const Extraction& extraction, const ir::Unit& unit, const std::string& name) {
  std::optional<std::string> out;
  each_launch(extraction.host.steps, [&](const HostLaunch& launch) {
    const auto names = parameters_of(unit, launch.kernel);
    const auto found = std::ranges::find(names, name);
    if (found == names.end() || out) return;
    const auto argument = launch.arguments.find(static_cast<std::size_t>(found - names.begin()));
    if (argument == launch.arguments.end() || argument->second.kind != HostArgument::Kind::Buffer) return;
    const auto used = argument->second.value.names();
    if (used.size() == 1) out = used.front();
  });
  return out.value_or(name);
}

}  // namespace

Extraction with_declarations(Extraction extraction, const Completion& proposed, const std::string& who) {
  drop_guesses(extraction, proposed);
  for (const auto& [name, value] : proposed.defines) {
    if (std::ranges::find(extraction.defines, name, &Define::name) != extraction.defines.end()) continue;
    extraction.defines.push_back({name, value, {}, true, guessed_by(who)});
    extraction.notes.push_back(fmt::format("{} = {}, guessed by {}", name, value, who));
  }
  if (proposed.stubs.empty()) return extraction;
  extraction.source = proposed.stubs + extraction.source;
  for (auto& piece : extraction.origin.pieces) {
    piece.here.begin += proposed.stubs.size();
    piece.here.end += proposed.stubs.size();
  }
  extraction.notes.push_back("declarations before the kernel's text are guessed by " + who);
  return extraction;
}

Result<Extraction> with_values(Extraction extraction, const ir::Unit& unit, const Completion& proposed,
                               const std::string& who) {
  auto& host = extraction.host;
  for (const auto& [name, value] : proposed.set) {
    auto& symbol = host.symbols[name];
    if (symbol) continue;
    symbol = value;
    host.symbol_provenance[name] = guessed_by(who);
    extraction.notes.push_back(fmt::format("{} = {}, guessed by {}", name, print(value), who));
  }
  if (!proposed.launches.empty() && !launches_are_known(extraction)) {
    auto steps = steps_from(proposed, host, unit, who);
    if (!steps) return fail(std::move(steps).error());
    host.steps = std::move(*steps);
    extraction.notes.push_back("what of the launches the code does not say is guessed by " + who);
  }
  for (const auto& [name, bytes] : proposed.bytes) {
    const auto buffer = buffer_called(extraction, unit, name);
    auto known = std::ranges::find(host.buffers, buffer, &HostBuffer::name);
    if (known == host.buffers.end()) {
      known = host.buffers.emplace(host.buffers.end());
      known->name = buffer;
    }
    if (known->bytes) continue;
    known->bytes = bytes;
    known->provenance = guessed_by(who);
    extraction.notes.push_back(fmt::format("{}: {} bytes, guessed by {}", buffer, bytes.print(), who));
  }
  return extraction;
}

std::map<std::string, std::string> fills_of(const Extraction& extraction, const ir::Unit& unit,
                                            const Completion& proposed) {
  std::map<std::string, std::string> out;
  for (const auto& [name, fill] : proposed.fills) out[buffer_called(extraction, unit, name)] = fill;
  return out;
}

}  // namespace hone::mep
