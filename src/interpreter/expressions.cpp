#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "interpreter/work_group.hpp"
#include "ir/build.hpp"

namespace hone::interpreter {

using ir::Kind;
using ir::NodePtr;

namespace {

/// Of the headers every kernel sees, as far as kernels use them.
std::optional<Value> named_constant(const std::string& name) {
  static const std::map<std::string, double> reals = {{"FLT_MAX", 3.402823466e+38},   {"FLT_MIN", 1.175494351e-38},
                                                      {"FLT_EPSILON", 1.1920929e-07}, {"M_PI_F", 3.14159265358979},
                                                      {"M_E_F", 2.718281828459045},   {"M_SQRT2_F", 1.4142135623730951},
                                                      {"INFINITY", HUGE_VAL}};
  static const std::map<std::string, double> doubles = {
      {"DBL_MAX", 1.7976931348623157e308}, {"M_PI", 3.141592653589793}, {"M_E", 2.718281828459045}};
  static const std::map<std::string, std::int64_t> integers = {
      {"INT_MAX", 2147483647}, {"INT_MIN", -2147483648LL}, {"UINT_MAX", 4294967295LL}, {"true", 1}, {"false", 0}};
  if (const auto found = reals.find(name); found != reals.end()) return real_value(found->second, ir::float_type());
  if (const auto found = doubles.find(name); found != doubles.end())
    return real_value(found->second, ir::scalar_type(ir::Scalar::Double));
  if (const auto found = integers.find(name); found != integers.end())
    return int_value(found->second, name == "UINT_MAX" ? ir::uint_type() : ir::int_type());
  return std::nullopt;
}

ir::Type decayed(const ir::Type& type) { return type.is_array() ? ir::pointer_to(ir::element_of(type)) : type; }

Value literal_value(const NodePtr& e) {
  if (e->type.is_floating()) return real_value(std::strtod(e->text.c_str(), nullptr), e->type);
  if (const auto value = ir::int_value(e)) return int_value(*value, e->type);
  if (e->text.size() == 3 && e->text[0] == '\'') return int_value(e->text[1], e->type);
  unsupported("the literal " + e->text);
}

}  // namespace

std::size_t line_of(const ir::Node& node) {
  if (!node.origin.owns()) return 0;
  const auto& text = node.origin.source->text;
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(node.origin.begin), '\n'));
}

Variable* WorkGroup::lookup(const std::string& name, std::size_t i) {
  auto& scopes = items_[i].scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  return nullptr;
}

Variable& WorkGroup::find(const std::string& name, std::size_t i) {
  auto* found = lookup(name, i);
  if (found == nullptr) unsupported("the name " + name);
  return *found;
}

Toucher WorkGroup::toucher(const Place& place, std::size_t i) const {
  const auto item = group_number_ * items_.size() + i + 1;
  return {static_cast<std::uint32_t>(item), group_number_,
          place.memory->starts_unwritten ? local_epoch_ : global_epoch_};
}

Value WorkGroup::fetch(const Place& place, std::size_t i) {
  if (launch_.options.races) note_read(place, toucher(place, i));
  return load(place);
}

void WorkGroup::keep(const Place& place, const Value& value, std::size_t i) {
  if (launch_.options.races) note_write(place, toucher(place, i), value, launch_.options.equal_stores_race);
  store(place, value);
}

bool WorkGroup::has_place(const NodePtr& e, std::size_t i) {
  if (e->kind == Kind::Name) {
    const auto* found = lookup(e->text, i);
    return found != nullptr && !found->pointer;
  }
  return e->kind == Kind::Index || ir::is(e, Kind::Unary, "*");
}

Place WorkGroup::place_of(const NodePtr& e, std::size_t i) {
  switch (e->kind) {
    case Kind::Name: return find(e->text, i).place;
    case Kind::Index: {
      if (e->children[0]->type.is_vector()) unsupported("an index into a vector");
      return pointed(binary("+", evaluate(e->children[0], i), evaluate(e->children[1], i)));
    }
    case Kind::Unary:
      if (e->text == "*") return pointed(evaluate(e->children[0], i));
      break;
    case Kind::Member: {
      Place at = place_of(e->children[0], i);
      if (!at.type.is_vector() || !at.lanes.empty()) unsupported("the member " + e->text);
      at.lanes = swizzle(e->text, at.type.lanes);
      return at;
    }
    default: break;
  }
  unsupported(std::string("a store to ") + ir::kind_name(e->kind));
}

Place WorkGroup::pointed(const Value& pointer) const {
  if (!pointer.memory || !pointer.type.pointee) unsupported("a pointer to nothing");
  if (pointer.overflowed && launch_.options.overflow_in_indices)
    undefined("an index into " + pointer.memory->name + " comes from a signed integer that overflowed");
  return {pointer.memory, pointer.offset, *pointer.type.pointee, {}, false};
}

Value WorkGroup::assign(const NodePtr& e, std::size_t i) {
  const auto& target = e->children[0];
  const auto op = e->text.substr(0, e->text.size() - 1);
  const auto value = evaluate(e->children[1], i);
  if (target->kind == Kind::Name && find(target->text, i).pointer) {
    auto& variable = find(target->text, i);
    return *(variable.pointer = op.empty() ? value : binary(op, *variable.pointer, value));
  }
  const auto place = place_of(target, i);
  keep(place, op.empty() ? value : binary(op, fetch(place, i), value), i);
  return load(place);
}

Value WorkGroup::stepped(const NodePtr& e, std::size_t i) {
  const bool post = e->text.starts_with("post");
  const auto op = e->text.ends_with("++") ? "+" : "-";
  const auto one = int_value(1, ir::int_type());
  const auto& target = e->children[0];
  if (target->kind == Kind::Name && find(target->text, i).pointer) {
    auto& pointer = find(target->text, i).pointer;
    const auto before = *pointer;
    pointer = binary(op, before, one);
    return post ? before : *pointer;
  }
  const auto place = place_of(target, i);
  const auto before = fetch(place, i);
  keep(place, binary(op, before, one), i);
  return post ? before : load(place);
}

Value WorkGroup::evaluate(const NodePtr& e, std::size_t i) {
  try {
    return evaluate_kind(e, i);
  } catch (Stopped& stopped) {
    if (stopped.finding.line == 0) stopped.finding.line = line_of(*e);
    throw;
  }
}

Value WorkGroup::evaluate_kind(const NodePtr& e, std::size_t i) {
  switch (e->kind) {
    case Kind::Literal: return literal_value(e);
    case Kind::Name: {
      const auto* variable = lookup(e->text, i);
      if (variable == nullptr)
        if (const auto constant = named_constant(e->text)) return *constant;
      if (variable == nullptr) unsupported("the name " + e->text);
      return variable->pointer ? *variable->pointer : fetch(variable->place, i);
    }
    case Kind::Index: return fetch(place_of(e, i), i);
    case Kind::Assign: return assign(e, i);
    case Kind::ThreadIndex: return thread_index(*e, i);
    case Kind::Cast: return converted(evaluate(e->children[0], i), e->type);
    case Kind::Select: {
      const auto condition = evaluate(e->children[0], i);
      if (condition.type.lanes > 1) unsupported("a choice by a vector");
      return converted(evaluate(e->children[condition.truth() ? 1 : 2], i), decayed(e->type));
    }
    case Kind::Binary: return binary_expression(e, i);
    case Kind::Unary:
      if (e->text.ends_with("++") || e->text.ends_with("--")) return stepped(e, i);
      if (e->text == "*") return fetch(place_of(e, i), i);
      if (e->text == "&") return address(e->children[0], i);
      return unary(e->text, evaluate(e->children[0], i));
    case Kind::Member: {
      if (has_place(e->children[0], i)) return fetch(place_of(e, i), i);
      const auto base = evaluate(e->children[0], i);
      if (!base.type.is_vector()) unsupported("the member " + e->text);
      return lanes_of(base, swizzle(e->text, base.type.lanes));
    }
    case Kind::VectorLiteral: return vector(e, i);
    case Kind::Call: return call(e, i);
    case Kind::SizeOf:
      return int_value(ir::size_of(e->children.empty() ? e->type : e->children[0]->type), ir::size_type());
    default: unsupported(std::string("an expression of the kind ") + ir::kind_name(e->kind));
  }
}

Value WorkGroup::binary_expression(const NodePtr& e, std::size_t i) {
  const auto a = evaluate(e->children[0], i);
  if ((e->text == "&&" || e->text == "||") && a.type.lanes == 1) {
    const bool decided = a.truth() == (e->text == "||");
    return int_value(decided ? (a.truth() ? 1 : 0) : (evaluate(e->children[1], i).truth() ? 1 : 0), ir::int_type());
  }
  return binary(e->text, a, evaluate(e->children[1], i));
}

Value WorkGroup::address(const NodePtr& e, std::size_t i) {
  const auto at = place_of(e, i);
  if (!at.lanes.empty()) unsupported("the address of a lane");
  Value out;
  out.type = ir::pointer_to(at.type);
  out.memory = at.memory;
  out.offset = at.offset;
  return out;
}

Value WorkGroup::vector(const NodePtr& e, std::size_t i) {
  Value out = plain(e->type);
  const auto lane = ir::lane_of(e->type);
  std::size_t at = 0;
  for (const auto& part : e->children) {
    const auto value = evaluate(part, i);
    if (e->children.size() == 1 && value.type.lanes == 1) return converted(value, e->type);
    const auto fitted = converted(value, ir::scalar_type(lane.scalar, value.type.lanes));
    out.overflowed = out.overflowed || fitted.overflowed;
    for (int l = 0; l < fitted.type.lanes; ++l, ++at) {
      out.integers.at(at) = fitted.integer(l);
      out.reals[at] = fitted.reals[static_cast<std::size_t>(fitted.type.lanes == 1 ? 0 : l)];
    }
  }
  return out;
}

Value WorkGroup::thread_index(const ir::Node& e, std::size_t i) const {
  const auto d = static_cast<std::size_t>(e.dimension);
  const auto& [global, local, offset] = launch_.geometry;
  const auto own = items_[i].local[d];
  std::size_t value = 0;
  if (e.text == "global_id")
    value = offset[d] + group_[d] * local[d] + own;
  else if (e.text == "local_id")
    value = own;
  else if (e.text == "group_id")
    value = group_[d];
  else if (e.text == "global_size")
    value = global[d];
  else if (e.text == "local_size")
    value = local[d];
  else if (e.text == "num_groups")
    value = global[d] / local[d];
  else if (e.text == "global_offset")
    value = offset[d];
  return int_value(static_cast<std::int64_t>(value), e.type);
}

}  // namespace hone::interpreter
