// Arguments that a function's declaration does not name one by one: f(format, ...), and what a function that is not in
// the application may change.
#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

/// Where a va_list is: it decays like an array and is handed on by its address.
std::optional<Location> list_place(Machine& machine, const Node& node) {
  const Node* of = &node;
  while ((of->kind == Kind::Decay || of->kind == Kind::Cast || of->kind == Kind::AddressOf) && !of->parts.empty())
    of = &of->parts[0];
  auto at = machine.locate(*of);
  if (!at) return std::nullopt;
  if (const auto held = machine.load(*at); held.is(VK::Pointer)) at = held.at;
  if (!at->path.empty() && at->path.back().field.empty()) at->path.pop_back();
  return at;
}

bool is_one_of(const std::string& name, const char* a, const char* b) { return name == a || name == b; }

}  // namespace

std::optional<HostValue> Machine::variable_arguments(const Node& node, const std::vector<const Node*>& arguments) {
  const bool starts = is_one_of(node.text, "__builtin_va_start", "va_start");
  const bool copies = is_one_of(node.text, "__builtin_va_copy", "va_copy");
  if (!starts && !copies && node.text != "va_arg") return std::nullopt;
  if (arguments.empty()) return unknown("an argument that was not given");
  const auto list = list_place(*this, *arguments[0]);
  if (!list) return unknown("an argument out of a list that could not be followed");
  if (starts) {
    HostValue made = record("#arguments");
    auto parts = std::make_shared<Parts>();
    for (std::size_t i = 0; i < frames_.back().extra.size(); ++i)
      parts->elements[static_cast<std::int64_t>(i)] = frames_.back().extra[i];
    parts->fields["next"] = host::number(0);
    made.parts = std::move(parts);
    memory_.store(*list, std::move(made));
    return HostValue{};
  }
  if (copies) {
    const auto from = arguments.size() > 1 ? list_place(*this, *arguments[1]) : std::nullopt;
    memory_.store(*list, from ? memory_.load(*from) : unknown("a list of arguments"));
    return HostValue{};
  }
  const auto held = memory_.load(*list);
  if (!held.is(VK::Record) || held.text != "#arguments") return unknown("an argument out of a list");
  const auto next = held.parts->fields.at("next").whole();
  if (!next) return unknown("an argument out of a list, which one is not known");
  memory_.store(list->field("next"), host::number(*next + 1));
  const auto found = held.parts->elements.find(*next);
  return found == held.parts->elements.end() ? unknown("more arguments than were given") : found->second;
}

void Machine::forget_references(const Node& node, const std::vector<const Node*>& arguments) {
  if (node.function < 0) return;
  const auto& function = program_.unit(current_unit()).functions[static_cast<std::size_t>(node.function)];
  for (std::size_t i = 0; i < arguments.size() && i < 32; ++i) {
    if ((function.changes_parameters >> i & 1U) == 0) continue;
    const auto at = locate(*arguments[i]);
    if (!at || at->vague || memory_.load(*at).is(VK::Handle)) continue;
    memory_.store(*at, unknown("may be changed by " + node.text));
  }
}

}  // namespace hone::host
