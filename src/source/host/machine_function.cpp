// Functions of the program itself: arguments bound, body run, constructors with their initialisers; lambdas and packs.
#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

std::vector<const Node*> nodes_from(const std::vector<Node>& nodes, std::size_t from) {
  std::vector<const Node*> out;
  for (std::size_t i = from; i < nodes.size(); ++i) out.push_back(&nodes[i]);
  return out;
}

}  // namespace

/// Arguments with packs expanded; `made` owns what is made on the way.
std::vector<const Node*> Machine::expanded(const Node& node, std::size_t from, std::vector<Node>& made) {
  const bool itself = node.kind == Kind::Pack;
  std::vector<const Node*> out;
  std::size_t packs = 0;
  for (const auto& part : node.parts) packs += part.kind == Kind::Pack ? 1 : 0;
  if (!itself && packs == 0) return nodes_from(node.parts, from);
  // Only patterns of templates have packs left; each element gets a name of its own.
  const auto add = [&](const Node& pattern) {
    std::vector<std::int32_t> decls;
    const auto find = [&](const auto& self, const Node& n) -> void {
      if (n.decl >= 0 && frames_.back().packs.contains(n.decl)) decls.push_back(n.decl);
      for (const auto& p : n.parts) self(self, p);
    };
    find(find, pattern);
    if (decls.empty()) return;
    const auto count = frames_.back().packs[decls[0]].size();
    for (std::size_t i = 0; i < count && i < 64; ++i) {
      Node one = pattern;
      const auto replace = [&](const auto& self, Node& n) -> void {
        if (n.decl >= 0 && frames_.back().packs.contains(n.decl)) {
          const auto alias = static_cast<std::int32_t>(-2 - static_cast<std::int32_t>(i) - 100 * n.decl);
          frames_.back().names[alias] = frames_.back().packs[n.decl][i];
          n.decl = alias;
        }
        for (auto& p : n.parts) self(self, p);
      };
      replace(replace, one);
      made.push_back(std::move(one));
    }
  };
  made.reserve(256);
  if (itself) {
    add(node.parts[0]);
    return nodes_from(made, 0);
  }
  for (std::size_t i = from; i < node.parts.size(); ++i) {
    if (node.parts[i].kind != Kind::Pack) {
      out.push_back(&node.parts[i]);
      continue;
    }
    const auto begin = made.size();
    add(node.parts[i].parts[0]);
    for (std::size_t m = begin; m < made.size(); ++m) out.push_back(&made[m]);
  }
  return out;
}

HostValue Machine::new_object(const Node& node) {
  const auto* type = type_of(node);
  const bool many = node.parts[0].kind != Kind::Nothing;
  HostValue size;
  if (many) size = eval(node.parts[0]);
  const Location at = temporary(many ? array() : HostValue{});
  if (many) {
    if (node.parts[1].kind != Kind::Nothing && node.parts[1].kind != Kind::Construct) {
      auto value = eval(node.parts[1]);
      if (value.is(VK::Array)) memory_.store(at, value);
    }
    return pointer(at.element(0));
  }
  if (node.parts[1].kind == Kind::Construct) {
    memory_.store(at, construct(node.parts[1], at));
  } else if (node.parts[1].kind != Kind::Nothing) {
    memory_.store(at, eval(node.parts[1]));
  } else if (type != nullptr && type->kind == Type::Kind::Record) {
    memory_.store(at, default_object(type->name));
  }
  return pointer(at);
}

HostValue Machine::lambda(const Node& node) {
  if (node.function < 0) return unknown("a lambda that Clang could not read");
  HostValue out;
  out.kind = VK::Lambda;
  out.unit = current_unit();
  out.function = node.function;
  auto closure = std::make_shared<Closure>();
  closure->self = frames_.back().self;
  if (frames_.back().closure != nullptr) closure->names = frames_.back().closure->names;
  for (const auto& [decl, at] : frames_.back().names) closure->names[decl] = at;
  for (const auto& capture : node.parts) {
    if (capture.text != "copy") continue;
    if (const auto at = locate_name(capture)) closure->names[capture.decl] = temporary(memory_.load(*at));
  }
  out.closure = std::move(closure);
  return out;
}

void Machine::bind(const Function& function, Frame& frame, const std::vector<const Node*>& nodes,
                   const std::vector<HostValue>* values) {
  const auto& unit = program_.unit(frame.function.unit);
  const auto given = values != nullptr ? values->size() : nodes.size();
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto id = function.parameters[i];
    const auto& decl = unit.decls[static_cast<std::size_t>(id)];
    const auto* type = decl.type >= 0 ? &unit.types[static_cast<std::size_t>(decl.type)] : nullptr;
    const bool last_pack = function.has_pack && i + 1 == function.parameters.size();
    const auto one = [&](std::size_t n) -> Location {
      const bool by_reference = (type != nullptr && type->kind == Type::Kind::Reference) || type == nullptr ||
                                type->kind == Type::Kind::Unknown;
      if (by_reference && values == nullptr && n < nodes.size()) {
        if (const auto at = locate(*nodes[n]); at && !at->vague) return *at;
      }
      HostValue value = unknown("an argument that was not given");
      if (n < given) value = values != nullptr ? (*values)[n] : eval(*nodes[n]);
      if (by_reference && value.is(VK::Pointer) && value.text == "reference") return value.at;
      const auto slot = make(convert(value, type));
      slot_names_[slot] = decl.name;
      return {slot, {}, false};
    };
    if (last_pack) {
      auto& pack = frame.packs[id];
      for (std::size_t n = i; n < given; ++n) pack.push_back(one(n));
      break;
    }
    frame.names[id] = one(i);
  }
  if (function.has_pack) return;
  for (std::size_t n = function.parameters.size(); n < given; ++n)
    frame.extra.push_back(values != nullptr ? (*values)[n] : eval(*nodes[n]));
}

HostValue Machine::call_function(FunctionRef ref, const std::vector<const Node*>& nodes,
                                 const std::vector<HostValue>* values, const std::optional<Location>& self,
                                 const Closure* closure, const Node& from) {
  const auto& function = program_.function(ref);
  if (static_cast<int>(frames_.size()) >= limits_.calls || depth_ > limits_.depth - 20)
    return unknown("calls nested too deeply");
  std::size_t recursion = 0;
  for (const auto& frame : frames_) recursion += frame.function == ref ? 1 : 0;
  if (recursion > 16) return unknown("recursion without an end that is known");
  Frame frame;
  frame.function = ref;
  frame.closure = closure;
  frame.call_place = place_of(from);
  if (self) frame.self = *self;
  bind(function, frame, nodes, values);
  frames_.push_back(std::move(frame));
  const auto outer = naming_;
  const auto outer_depth = depth_;
  ++depth_;
  for (const auto& one : function.initializers) {
    if (!self || one.parts.empty()) continue;
    const auto& initial = one.parts[0];
    if (one.text.rfind("base ", 0) == 0 || one.text == "this") {
      if (initial.kind == Kind::Construct) {
        const auto base = program_.definition(ref.unit, initial.function);
        if (base.found()) call_function(base, nodes_from(initial.parts, 0), nullptr, self, nullptr, initial);
      }
      continue;
    }
    const auto at = self->field(one.text);
    const auto* type = type_of(one);
    naming_ = one.text;
    if (type != nullptr && type->kind == Type::Kind::Reference) {
      // A reference among the fields is a pointer that is followed on every use; the object itself is copied in when
      // it has no place.
      const auto place = locate(initial);
      memory_.store(at, place ? reference(*place) : eval(initial));
    } else if (initial.kind == Kind::Construct) {
      store(at, construct(initial, at));
    } else {
      auto value = convert(eval(initial), type);
      store(at, std::move(value));
    }
  }
  naming_ = outer;
  const auto flow = exec(function.body);
  depth_ = outer_depth;
  HostValue out = frames_.back().has_returned ? frames_.back().returned : HostValue{};
  frames_.pop_back();
  if (flow == Flow::Leave) left_ = true;
  if (out.is(VK::Unknown) && out.text.empty()) out.text = "what " + function.name + " gives";
  return out;
}

}  // namespace hone::host
