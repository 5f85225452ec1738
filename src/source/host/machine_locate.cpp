// Where things are: names, members, elements, what pointers point at.
#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {
using VK = HostValue::Kind;
}  // namespace

std::optional<Location> Machine::locate(const Node& node) {
  if (gave_up() || depth_ > limits_.depth) return std::nullopt;
  ++depth_;
  auto out = locate_inner(node);
  --depth_;
  return out;
}

std::optional<Location> Machine::locate_name(const Node& node) {
  if (node.decl == -1) return locate_word(node.text);
  if (node.decl < -1) {  // an element of a pack
    const auto found = frames_.back().names.find(node.decl);
    return found == frames_.back().names.end() ? std::nullopt : std::optional(found->second);
  }
  for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
    if (it->function.unit == current_unit()) {
      const auto found = it->names.find(node.decl);
      if (found != it->names.end()) return found->second;
      if (it->closure != nullptr) {
        const auto captured = it->closure->names.find(node.decl);
        if (captured != it->closure->names.end()) return captured->second;
      }
      const auto pack = it->packs.find(node.decl);
      if (pack != it->packs.end() && it->pack_index >= 0 &&
          it->pack_index < static_cast<std::int32_t>(pack->second.size()))
        return pack->second[static_cast<std::size_t>(it->pack_index)];
    }
    break;
  }
  const auto unit = current_unit();
  const auto& decl = program_.unit(unit).decls[static_cast<std::size_t>(node.decl)];
  if (decl.key.empty()) {
    const auto found = statics_.find({unit, node.decl});
    if (found != statics_.end()) return found->second;
    // Declared where this run did not come by: a place of its own.
    const auto slot = make(unknown(decl.name + " was given no value on this way"));
    slot_names_[slot] = decl.name;
    frames_.back().names[node.decl] = {slot, {}, false};
    return Location{slot, {}, false};
  }
  auto [home, definition] = program_.global(unit, decl.key);
  const auto key = decl.key + (home >= 0 ? "#" + program_.unit(home).files[0] : "");
  if (const auto found = globals_.find(key); found != globals_.end()) return found->second;
  const auto slot = make(unknown(decl.name + " is defined outside of what was read"));
  const Location at{slot, {}, false};
  slot_names_[slot] = decl.name;
  globals_[key] = at;
  if (definition != nullptr) {
    Frame frame;
    frame.function = {home, -1};
    frames_.push_back(std::move(frame));
    const auto outer = naming_;
    naming_ = decl.name;
    const auto& home_decl = program_.unit(home).decls[static_cast<std::size_t>(definition->decl)];
    HostValue value = zero_of(home, definition->type);
    if (!definition->parts.empty()) {
      const auto& initial = definition->parts[0];
      value = initial.kind == Kind::Construct ? construct(initial, at) : convert(eval(initial), type_of(*definition));
      value = literal_as_symbol(*definition, initial, std::move(value), definition->decl,
                                home_decl.changes || home_decl.is_constant, home_decl.name);
    }
    naming_ = outer;
    frames_.pop_back();
    memory_.store(at, std::move(value));
  }
  return at;
}

/// A name that is only a word: of a statement read from its tokens.
std::optional<Location> Machine::locate_word(const std::string& word) {
  auto& frame = frames_.back();
  if (const auto found = frame.words.find(word); found != frame.words.end()) return found->second;
  const auto& unit = program_.unit(current_unit());
  for (auto it = frame.names.rbegin(); it != frame.names.rend(); ++it) {
    if (it->first >= 0 && unit.decls[static_cast<std::size_t>(it->first)].name == word) return it->second;
  }
  if (frame.self.slot >= 0) {
    const auto self = memory_.load(frame.self);
    if (self.parts && self.parts->fields.contains(word)) return frame.self.field(word);
  }
  for (const auto& global : unit.globals) {
    const auto& decl = unit.decls[static_cast<std::size_t>(global.decl)];
    if (decl.name != word) continue;
    Node reading;
    reading.kind = Kind::Name;
    reading.decl = global.decl;
    return locate_name(reading);
  }
  return std::nullopt;
}

std::optional<Location> Machine::index_into(const Node& node) {
  const auto index = eval(node.parts[1]);
  std::optional<Location> base;
  const auto& of = node.parts[0];
  const auto held = eval(of);
  if (held.is(VK::Pointer)) {
    auto at = held.at;
    const auto i = index.whole();
    if (i && !at.vague) return at.moved(*i);
    if (!at.path.empty() && at.path.back().field.empty()) at.path.pop_back();
    at.vague = true;
    return at;
  }
  if (held.is(VK::Text)) {
    auto at = locate(of);
    if (at && index.whole()) return at->element(*index.whole());
    return std::nullopt;
  }
  if (index.is(VK::Pointer)) return std::nullopt;
  auto at = locate(of);
  if (!at) return std::nullopt;
  if (held.is(VK::Unknown) && !held.parts) {
    auto out = at->element(index.whole().value_or(0));
    out.vague = !index.whole();
    if (out.vague) out.path.pop_back();
    return out;
  }
  return std::nullopt;
}

std::optional<Location> Machine::locate_inner(const Node& node) {
  switch (node.kind) {
    case Kind::Name: return locate_name(node);
    case Kind::Member: {
      if (node.parts.empty()) return std::nullopt;
      if (node.parts[0].kind == Kind::This)
        return frames_.back().self.slot >= 0 ? std::optional(frames_.back().self.field(node.text)) : std::nullopt;
      auto base = locate(node.parts[0]);
      if (!base) {
        const auto value = eval(node.parts[0]);
        if (value.is(VK::Pointer)) {
          base = value.at;
        } else if (value.is(VK::Record)) {
          base = temporary(value);
        } else {
          return std::nullopt;
        }
      }
      return base->field(node.text);
    }
    case Kind::Index: return index_into(node);
    case Kind::Deref: {
      const auto value = eval(node.parts[0]);
      if (value.is(VK::Pointer)) return value.at;
      if (value.is(VK::Unknown)) {  // through a pointer nobody knows: an object of its own, kept at the pointer
        const auto at = locate(node.parts[0]);
        if (!at || at->vague) return std::nullopt;
        HostValue object = record("");
        auto parts = std::make_shared<Parts>();
        HostValue why = value;
        if (why.text.empty()) why.text = "behind a pointer that is not known";
        parts->rest = why;
        object.parts = std::move(parts);
        const Location made = temporary(std::move(object));
        memory_.store(*at, pointer(made));
        return made;
      }
      return std::nullopt;
    }
    case Kind::Cast: return node.parts.empty() ? std::nullopt : locate(node.parts[0]);
    case Kind::Assign:
    case Kind::Increment: {
      if (node.kind == Kind::Increment && !node.text.ends_with('x')) return std::nullopt;
      eval(node);
      return locate(node.parts[0]);
    }
    case Kind::Comma: {
      for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) eval(node.parts[i]);
      return node.parts.empty() ? std::nullopt : locate(node.parts.back());
    }
    case Kind::Select: {
      const auto truth = eval(node.parts[0]).truth();
      if (!truth) return std::nullopt;
      return locate(node.parts[*truth ? 1 : 2]);
    }
    case Kind::Call:
    case Kind::CallValue:
    case Kind::MethodCall:
    case Kind::Operator: {
      const auto value = any_call(node);
      if (value.is(VK::Pointer) && value.text == "reference") return value.at;
      return temporary(value);
    }
    default: return std::nullopt;
  }
}

}  // namespace hone::host
