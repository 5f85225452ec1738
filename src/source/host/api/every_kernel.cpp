#include "source/host/api/every_kernel.hpp"

#include <algorithm>

#include "core/c_tokens.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

/// Words and marks: what stands between `kernel` and the name may be attributes.
std::vector<std::string_view> kernel_names_in(const std::string& text) {
  std::vector<std::string_view> words, out;
  for (const auto& token : c_tokens(text))
    if (token.kind == CToken::Kind::Identifier || token.kind == CToken::Kind::Punctuation) words.push_back(token.text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "__kernel" && words[i] != "kernel") continue;
    std::size_t at = i + 1;
    while (at < words.size() && words[at] != "void" && words[at] != ";" && words[at] != "{") ++at;
    const bool defined = at + 2 < words.size() && words[at] == "void" && words[at + 2] == "(";
    if (defined && std::ranges::find(out, words[at + 1]) == out.end()) out.push_back(words[at + 1]);
  }
  return out;
}

}  // namespace

std::vector<HostValue> every_kernel(Machine& machine, const HostValue& program) {
  std::vector<HostValue> out;
  if (!program.is_handle("program")) return out;
  const auto held = machine.load({program.at.slot, {}, false});
  if (!held.parts) return out;
  for (const auto& [index, source] : held.parts->elements) {
    if (!source.is(VK::Text)) return {};
    for (const auto name : kernel_names_in(source.text)) {
      auto kernel = record("#kernel");
      auto parts = std::make_shared<Parts>();
      parts->fields["unasked"] = text(std::string(name));
      parts->fields["program"] = program;
      kernel.parts = std::move(parts);
      out.push_back(handle("kernel", machine.make(std::move(kernel))));
    }
  }
  return out;
}

HostValue name_asked(Machine& machine, const HostValue& kernel) {
  if (!kernel.is_handle("kernel")) return unknown("the name of a kernel that is not known");
  const Location at{kernel.at.slot, {}, false};
  const auto held = machine.load(at);
  if (!held.parts) return unknown("the name of a kernel that is not known");
  if (const auto named = held.parts->fields.find("name"); named != held.parts->fields.end()) return named->second;
  const auto found = held.parts->fields.find("unasked");
  if (found == held.parts->fields.end()) return unknown("the name of a kernel that is not known");
  machine.store(at.field("name"), found->second);
  return found->second;
}

}  // namespace hone::host
