#include "source/host/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

std::string as_identifier(const std::string& wanted) {
  std::string out;
  for (const char c : wanted) out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "v" + out;
  static const std::set<std::string> words = {"in",  "and",  "or",    "not",      "if",       "else",   "min",   "max",
                                              "abs", "true", "false", "ceil_div", "round_up", "launch", "device"};
  return words.contains(out) ? out + "_" : out;
}

}  // namespace

HostValue ApiCall::value(std::size_t i) {
  if (i >= arguments.size()) return unknown("no such argument");
  if (seen.size() < arguments.size()) seen.resize(arguments.size());
  if (!seen[i]) seen[i] = machine.eval(*arguments[i]);
  return *seen[i];
}

HostValue ApiCall::object_value() {
  if (object == nullptr) return unknown("no object");
  if (!seen_object) seen_object = machine.eval(*object);
  return *seen_object;
}

Machine::Machine(const Program& program, const Files& files, const MachineLimits& limits)
    : program_(program), files_(files), limits_(limits), deadline_(CpuClock::now() + limits.time) {}

const Function& Machine::current_function() const {
  static const Function outside;  // the initial value of a global
  const auto ref = frames_.back().function;
  return ref.function < static_cast<std::int32_t>(program_.unit(ref.unit).functions.size()) && ref.function >= 0
             ? program_.function(ref)
             : outside;
}
std::int32_t Machine::current_unit() const { return frames_.back().function.unit; }

void Machine::note(const std::string& text) {
  if (trace_.notes.size() < 60 && std::ranges::find(trace_.notes, text) == trace_.notes.end())
    trace_.notes.push_back(text);
}

std::string Machine::place_of(const Node& node) const {
  if (node.place.file < 0 || frames_.empty()) return {};
  const auto& unit = program_.unit(current_unit());
  return unit.files[static_cast<std::size_t>(node.place.file)] + ":" + std::to_string(node.place.line);
}

std::string Machine::source_of(const Node& node) const {
  if (node.place.file < 0 || frames_.empty()) return {};
  const auto found = files_.find(program_.unit(current_unit()).files[static_cast<std::size_t>(node.place.file)]);
  if (found == files_.end() || node.place.end <= node.place.begin || node.place.end > found->second.size()) return {};
  return found->second.substr(node.place.begin, std::min<std::size_t>(node.place.end - node.place.begin, 400));
}

const Type* Machine::type_of(const Node& node) const {
  if (node.type < 0) return nullptr;
  return &program_.unit(current_unit()).types[static_cast<std::size_t>(node.type)];
}

std::int64_t Machine::element_bytes(const Node& node) const {
  const auto* type = type_of(node);
  if (type == nullptr) return 0;
  const auto& types = program_.unit(current_unit()).types;
  if (type->kind == Type::Kind::Pointer && type->element >= 0)
    return std::max<std::int64_t>(0, types[static_cast<std::size_t>(type->element)].bytes);
  if (type->element >= 0) {  // an iterator: its first argument is a pointer
    const auto& inner = types[static_cast<std::size_t>(type->element)];
    if (inner.kind == Type::Kind::Pointer && inner.element >= 0)
      return std::max<std::int64_t>(0, types[static_cast<std::size_t>(inner.element)].bytes);
  }
  return 0;
}

void Machine::store(const Location& to, HostValue value) {
  remember_name(to, value);
  memory_.store(to, std::move(value));
}

void Machine::give(const HostValue& to, HostValue value) {
  if (to.is(VK::Pointer)) store(to.at, std::move(value));
}

HostValue Machine::pointed(const HostValue& value, std::int64_t element) const {
  if (!value.is(VK::Pointer)) return element == 0 ? value : unknown("past a single value");
  if (element == 0) return memory_.load(value.at);
  return memory_.load(value.at.moved(element));
}

/// A text, whatever way it is held: a literal, a string, an array of characters.
std::optional<HostValue> Machine::text_value(const HostValue& value) const {
  if (value.is(VK::Text)) return value;
  if (value.is(VK::Array)) {
    std::string out;
    for (const auto& [index, element] : value.parts->elements) {
      const auto c = element.whole();
      if (!c || index != static_cast<std::int64_t>(out.size())) return std::nullopt;
      if (*c == 0) return text(out);
      out += static_cast<char>(*c);
    }
    const bool ends = value.parts->rest && value.parts->rest->whole() == 0;
    return ends ? std::optional(text(out)) : std::nullopt;
  }
  if (!value.is(VK::Pointer) || value.at.vague) return std::nullopt;
  auto base = value.at;
  std::int64_t skip = 0;
  if (!base.path.empty() && base.path.back().field.empty()) {
    skip = base.path.back().index;
    base.path.pop_back();
  }
  const auto held = memory_.load(base);
  if (held.is(VK::Text) || held.is(VK::Array)) {
    auto all = text_value(held);
    if (!all || skip < 0 || skip > static_cast<std::int64_t>(all->text.size())) return std::nullopt;
    if (skip > 0) all = text(all->text.substr(static_cast<std::size_t>(skip)));
    return all;
  }
  return std::nullopt;
}

HostValue Machine::symbol(const std::string& wanted, std::optional<hone::Value> known, bool is_real, const Node& from) {
  const auto place = place_of(from);
  const auto key = wanted + "@" + place;
  auto base = as_identifier(wanted);
  auto name = base;
  const auto made = symbol_keys_.find(key);
  const auto asked = trace_.symbols.find(base);
  if (known && asked != trace_.symbols.end() && !asked->second && asked_for_.contains(base)) {
    asked->second = known;  // int n = given ? atoi(given) : 1024
    trace_.symbol_provenance[base] = {Provenance::Kind::Seen, place};
    symbol_keys_[key] = base;
  } else if (made != symbol_keys_.end() && trace_.symbols[made->second] == known) {
    name = made->second;
  } else {
    for (int n = 2; trace_.symbols.contains(name) || loop_names_.contains(name); ++n)
      name = fmt::format("{}_{}", base, n);
    symbol_keys_[key] = name;
    trace_.symbols[name] = known;
    trace_.symbol_provenance[name] = {known ? Provenance::Kind::Seen : Provenance::Kind::Guessed, place};
  }
  auto out = number(Expression::name(name), std::move(known), is_real);
  out.place = place;
  return out;
}

HostValue Machine::input(const std::string& wanted, bool is_real, const Node& from) {
  auto out = symbol(wanted.empty() ? "input" : wanted, std::nullopt, is_real, from);
  out.input = true;
  asked_for_.insert(out.number.root().text);
  return out;
}

void Machine::give_input(const HostValue& to, const std::string& why, const Node& from) {
  if (!to.is(VK::Pointer)) return;
  std::string name;
  if (const auto found = slot_names_.find(to.at.slot); found != slot_names_.end()) name = found->second;
  bool element = to.at.vague;
  for (const auto& step : to.at.path) {
    if (!step.field.empty()) name = step.field;
    element = element || step.field.empty();
  }
  const auto held = memory_.load(to.at);
  const bool plain = !element && !name.empty() && (held.is(VK::Number) || held.is(VK::Unknown)) && !held.parts;
  if (!plain) return store(to.at, unknown(why));
  if (held.is(VK::Number) && held.known) return;  // it stays what it is when nobody gives another
  store(to.at, input(name, held.real, from));
}

void Machine::remember_name(const Location& at, const HostValue& value) {
  if (!value.is_handle("buffer") && !value.is_handle("image")) return;
  auto& named = buffer_names_[value.at.slot];
  if (frames_.size() >= named.depth) return;
  std::string owner;
  if (const auto found = slot_names_.find(at.slot); found != slot_names_.end()) owner = found->second;
  std::string field;
  std::string index;
  for (const auto& step : at.path) {
    if (!step.field.empty() && step.field.rfind("k:", 0) != 0 && step.field != "second") {
      field = step.field;
      index.clear();
    } else {
      index += "_" + (step.field.empty() ? std::to_string(step.index)
                                         : step.field.substr(std::min<std::size_t>(2, step.field.size())));
    }
  }
  if (owner.empty() && field.empty()) return;
  if (field.empty() && at.path.empty()) index.clear();
  if (field.empty() && index == "_0" && !memory_.load({at.slot, {}, false}).parts) index.clear();
  named.depth = frames_.size();
  named.name = (field.empty() ? owner : field) + index;
  named.owner = owner;
}

std::int32_t Machine::make_buffer(const Node& node, HostValue flags, HostValue bytes) {
  auto made = record("#buffer");
  auto parts = std::make_shared<Parts>();
  parts->fields["flags"] = std::move(flags);
  parts->fields["bytes"] = std::move(bytes);
  parts->fields["place"] = text(place_of(node));
  made.parts = std::move(parts);
  const auto slot = make(std::move(made));
  buffers_.push_back(slot);
  if (!naming_.empty()) buffer_names_[slot] = {frames_.size() + 100, naming_, {}};
  return slot;
}

Trace Machine::run(FunctionRef root) {
  trace_ = {};
  trace_.function = program_.function(root).name;
  events_ = &trace_.events;
  Frame frame;
  frame.function = root;
  frames_.push_back(std::move(frame));
  const auto& function = program_.function(root);
  const auto& unit = program_.unit(root.unit);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto id = function.parameters[i];
    const auto& decl = unit.decls[static_cast<std::size_t>(id)];
    Node from;
    from.place = decl.place;
    const auto* type = decl.type >= 0 ? &unit.types[static_cast<std::size_t>(decl.type)] : nullptr;
    if (type != nullptr && type->kind == Type::Kind::Reference && type->element >= 0)
      type = &unit.types[static_cast<std::size_t>(type->element)];
    HostValue value = unknown("a parameter of " + function.name);
    const bool is_main = function.name == "main";
    if (is_main && i == 0) {
      value = number(1);  // a run without arguments
      value.input = true;
    } else if (is_main && i == 1) {
      HostValue word = unknown("an argument of the program");
      word.input = true;
      HostValue words = array();
      auto parts = std::make_shared<Parts>();
      parts->rest = word;
      parts->elements[0] = text("program");
      words.parts = std::move(parts);
      value = pointer(Location{make(std::move(words)), {}, false}.element(0));
    } else if (type != nullptr && (type->kind == Type::Kind::Integer || type->kind == Type::Kind::Real)) {
      value = symbol(decl.name, std::nullopt, type->kind == Type::Kind::Real, from);
    } else if (type != nullptr && type->name == "cl_mem") {
      value = handle("buffer", make_buffer(from, unknown("made by a caller"), unknown("made by a caller")));
      buffer_names_[value.at.slot] = {0, decl.name, {}};
    } else if (type != nullptr && type->kind == Type::Kind::Record) {
      value = default_object(type->name);
    } else if (type != nullptr && type->kind == Type::Kind::Pointer && type->element >= 0 &&
               unit.types[static_cast<std::size_t>(type->element)].kind == Type::Kind::Record) {
      value =
          pointer(Location{make(default_object(unit.types[static_cast<std::size_t>(type->element)].name)), {}, false});
    }
    const auto slot = make(std::move(value));
    slot_names_[slot] = decl.name;
    frames_.back().names[id] = {slot, {}, false};
  }
  if (function.is_method) {
    const auto slot = make(default_object(function.record));
    frames_.back().self = {slot, {}, false};
  }
  exec(function.body);
  finish();
  frames_.clear();
  return std::move(trace_);
}

}  // namespace hone::host
