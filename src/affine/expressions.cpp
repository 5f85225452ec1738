#include <algorithm>

#include "affine/walker.hpp"
#include "ir/rewrite.hpp"

namespace hone::affine {

using ir::Kind;
using ir::NodePtr;

namespace {

constexpr double kLargest = 1e15;  // coefficients stay far from overflow
constexpr std::int64_t kLargestLiteral = std::int64_t{1} << 40U;

Known number(Polynomial p, bool may_wrap = false) { return Known{std::move(p), std::nullopt, may_wrap}; }

}  // namespace

Known Walker::opaque(const std::string& hint) {
  std::string name = hint + "@" + std::to_string(++fresh_ + 100);
  symbols_.insert(name);
  return number(Polynomial::symbol(std::move(name)));
}

/// group_id*local_size + local_id is the work-item itself, as long as the launch has no offset.
Polynomial Walker::fused(Polynomial p) const {
  if (!facts_.offset_is_zero) return p;
  for (int d = 0; d < 3; ++d) {
    const auto local = p.coefficient(local_item(d));
    const auto group = p.coefficient(group_of(d));
    if (!local || !group || local->is_zero() || group->is_zero()) continue;
    if (*group == *local * Polynomial::symbol(local_size(d))) {
      p = p + *local * (Polynomial::symbol(work_item(d)) - Polynomial::symbol(local_item(d)) -
                        Polynomial::symbol(group_of(d)) * Polynomial::symbol(local_size(d)));
    }
  }
  return p;
}

Known Walker::value(const NodePtr& node) {
  switch (node->kind) {
    case Kind::Literal: {
      const auto given = ir::int_value(node);
      if (given && *given < kLargestLiteral) return number(*given);
      return {};
    }
    case Kind::Name: {
      const auto found = variables_.find(node->text);
      if (found != variables_.end()) return found->second;
      return node->type.is_integer() ? number(Polynomial::symbol(node->text)) : Known{};
    }
    case Kind::ThreadIndex: {
      view_.dimensions = std::max(view_.dimensions, node->dimension + 1);
      const auto& what = node->text;
      if (what == "global_offset") return facts_.offset_is_zero ? number(0) : opaque("global_offset");
      const std::string symbol = what == "global_size"  ? global_size(node->dimension)
                                 : what == "local_size" ? local_size(node->dimension)
                                                        : what + "[" + std::to_string(node->dimension) + "]";
      if (what.ends_with("_id") && !symbols_.contains(symbol)) axioms_.push_back(Polynomial::symbol(symbol));
      symbols_.insert(symbol);
      return number(Polynomial::symbol(symbol));
    }
    case Kind::Unary: {
      if (node->text == "*") return touch(node, place(node), Direction::Read, 1, false);
      if (node->text == "&") {
        if (ir::is(ir::operand(node), Kind::Name))
          variables_[ir::operand(node)->text] = opaque(ir::operand(node)->text);
        return Known{std::nullopt, place(ir::operand(node)), false};
      }
      if (node->text.find("++") != std::string::npos || node->text.find("--") != std::string::npos) {
        const Known before = value(ir::operand(node));
        Known after = before;
        const Polynomial one = node->text.find('+') != std::string::npos ? 1 : -1;
        if (after.number) *after.number += one;
        if (after.pointer && after.pointer->offset) *after.pointer->offset += one;
        write_to(ir::operand(node), after, true);
        return node->text.starts_with("post") ? before : after;
      }
      const Known inner = value(ir::operand(node));
      if (node->text == "-" && inner.number) return subtract(number(0), inner, node->type);
      return node->text == "+" ? inner : Known{};
    }
    case Kind::Binary: return binary(node);
    case Kind::Assign: return assign(node);
    case Kind::Select: return select(node);
    case Kind::Cast: {
      const Known inner = value(ir::operand(node));
      if (node->type.is_pointer() && inner.pointer) {
        Known out = inner;  // a view of the same bytes in another type: only the start is still known
        if (!ir::alike(*node->type.pointee, inner.pointer->element)) {
          out.pointer->element = *node->type.pointee;
          if (!inner.pointer->offset || !inner.pointer->offset->is_zero()) out.pointer->offset.reset();
        }
        return out;
      }
      return node->type.is_integer() && node->type.lanes == 1 ? inner : Known{};
    }
    case Kind::Call: return call(node);
    case Kind::Index: {
      if (node->type.is_array()) return Known{std::nullopt, place(node), false};
      return touch(node, place(node), Direction::Read, 1, false);
    }
    case Kind::Member:
      if (const auto path = by_value_path(node); path && node->type.is_integer() && node->type.lanes == 1) {
        symbols_.insert(*path);
        return number(Polynomial::symbol(*path));
      }
      if (node->type.is_integer() && node->type.lanes == 1 && node->children[0]->type.scalar == ir::Scalar::Struct) {
        const auto accesses = view_.accesses.size();
        value(node->children[0]);
        if (view_.accesses.size() == accesses || view_.accesses.back().array.empty()) return {};
        const auto array = view_.accesses.back().array;
        const Known loaded = opaque(array);
        view_.loaded_from[*loaded.number->symbols().begin()] = array + "." + node->text;
        return loaded;
      }
      [[fallthrough]];
    default:
      if (node->kind == Kind::Verbatim) view_.has_unknown = true;
      for (const auto& child : node->children) {
        if (ir::is_expression(*child)) value(child);
      }
      return {};
  }
}

/// "p.size" of a struct that the kernel takes by value and nobody writes to.
std::optional<std::string> Walker::by_value_path(const NodePtr& node) const {
  if (depth_ > 0) return std::nullopt;  // a helper's parameter of that name is another
  if (ir::is(node, Kind::Name)) return by_value_.contains(node->text) ? std::optional(node->text) : std::nullopt;
  if (!ir::is(node, Kind::Member)) return std::nullopt;
  const auto base = by_value_path(ir::operand(node));
  return base ? std::optional(*base + "." + node->text) : std::nullopt;
}

Known Walker::binary(const NodePtr& node) {
  const auto& op = node->text;
  if (op == "&&" || op == "||") {
    const auto outer = conditions_.size();
    const int data = data_guards_;
    if (!assume(ir::left(node), op == "&&")) ++data_guards_;
    value(ir::right(node));
    conditions_.resize(outer);
    data_guards_ = data;
    return {};
  }
  const Known a = value(ir::left(node));
  const Known b = value(ir::right(node));
  if (a.pointer || b.pointer) {
    const Known& base = a.pointer ? a : b;
    const Known& by = a.pointer ? b : a;
    Known out = base;
    if (out.pointer->offset) {
      if ((op != "+" && op != "-") || !by.number) {
        out.pointer->offset.reset();
      } else {
        *out.pointer->offset += op == "+" ? *by.number : Polynomial(0) - *by.number;
      }
    }
    out.may_wrap = a.may_wrap || b.may_wrap;
    return out;
  }
  if (!a.number || !b.number || !node->type.is_integer()) return {};
  const bool wraps = a.may_wrap || b.may_wrap;
  if (op == "+") return number(fused(*a.number + *b.number), wraps);
  if (op == "-") return subtract(a, b, node->type);
  if (op == "*" && a.number->magnitude() * b.number->magnitude() < kLargest)
    return number(*a.number * *b.number, wraps);
  if (op == "/" || op == "%") return divide(a, b, op == "%");
  const auto amount = b.number->constant();
  if ((op == "<<" || op == ">>") && amount && *amount >= 0 && *amount < 31) {
    const Polynomial factor = std::int64_t{1} << *amount;
    return op == "<<" ? number(*a.number * factor, wraps) : divide(a, number(factor), false);
  }
  const bool mask = op == "&" && amount && *amount >= 0 && (*amount & (*amount + 1)) == 0;
  if (mask && follows(now(), *a.number)) return divide(a, number(*amount + 1), true);
  return opaque("bits");
}

Known Walker::subtract(const Known& a, const Known& b, const ir::Type& type) {
  const Polynomial difference = fused(*a.number - *b.number);
  const bool carried = a.may_wrap || b.may_wrap;
  if (type.is_signed() || follows(now(), difference)) return number(difference, carried);
  if (type.scalar == ir::Scalar::ULong) return number(difference, true);
  view_.notes.push_back("an unsigned subtraction may wrap: " + difference.print());
  return opaque("wrapped");
}

Known Walker::divide(const Known& a, const Known& b, bool remainder) {
  const auto by = *b.number;
  const bool positive =
      by.constant() ? *by.constant() > 0 : std::ranges::all_of(by.terms(), [](const auto& t) { return t.second > 0; });
  if (a.may_wrap || b.may_wrap || !positive || by.is_zero() || !follows(now(), *a.number)) return opaque("quotient");
  if (a.number->constant() && by.constant()) {
    return number(remainder ? *a.number->constant() % *by.constant() : *a.number->constant() / *by.constant());
  }
  const std::string name = "(" + a.number->print() + ")//(" + by.print() + ")";
  const auto quotient = Polynomial::symbol(name);
  if (symbols_.insert(name).second) {  // by*q <= a < by*q + by
    axioms_.push_back(quotient);
    axioms_.push_back(*a.number - by * quotient);
    axioms_.push_back(by * quotient + by - Polynomial(1) - *a.number);
  }
  return number(remainder ? *a.number - by * quotient : quotient);
}

/// Where an access lands, without touching it.
std::optional<Pointer> Walker::place(const NodePtr& node) {
  if (ir::is(node, Kind::Unary, "*")) return value(ir::operand(node)).pointer;
  if (ir::is(node, Kind::Index)) {
    auto base = ir::is(ir::index_base(node), Kind::Index) && ir::index_base(node)->type.is_array()
                    ? place(ir::index_base(node))
                    : value(ir::index_base(node)).pointer;
    const Known by = value(ir::index_value(node));
    if (!base) return std::nullopt;
    std::int64_t row = 1;  // elements of one step: of a[i] in a[8][4] it is 4
    for (const auto extent : node->type.extents) row *= extent;
    if (!base->offset || !by.number || row <= 0) {
      base->offset.reset();
    } else {
      *base->offset = fused(*base->offset + *by.number * Polynomial(row));
    }
    return base;
  }
  if (ir::is(node, Kind::Member)) return place(ir::operand(node));
  if (ir::is(node, Kind::Cast)) return value(node).pointer;
  if (ir::is(node, Kind::Name)) return value(node).pointer;
  return std::nullopt;
}

Known Walker::touch(const NodePtr& node, const std::optional<Pointer>& where, Direction direction, int width,
                    bool atomic) {
  MemoryAccess access;
  access.node = node;
  access.direction = direction;
  access.width = width;
  access.atomic = atomic;
  access.loops = loops_;
  access.conditions = now();
  access.guarded_by_data = data_guards_ > 0;
  view_.has_atomics = view_.has_atomics || atomic;
  if (where) {
    access.array = where->array;
    access.space = where->space;
    access.element = where->element;
    access.index = where->offset;
  }
  const auto array = access.array;
  const bool integer = access.element.is_integer() && access.element.lanes == 1;
  view_.accesses.push_back(std::move(access));
  if (!integer) return {};
  const Known loaded = opaque(array);
  view_.loaded_from[*loaded.number->symbols().begin()] = array;
  return loaded;
}

void Walker::write_to(const NodePtr& target, const Known& what, bool update) {
  if (ir::is(target, Kind::Name)) {
    Known known = what;
    if (!known.number && types_[target->text].is_integer()) known = opaque(target->text);
    variables_[target->text] = known;
    return;
  }
  const NodePtr inner = ir::is(target, Kind::Member) ? ir::operand(target) : target;
  if (ir::is(inner, Kind::Member)) return write_to(inner, what, update);
  if (ir::is(inner, Kind::Name)) return;
  touch(inner, place(inner), update ? Direction::Update : Direction::Write, 1, false);
}

Known Walker::assign(const NodePtr& node) {
  const auto& target = ir::left(node);
  if (node->text == "=") {
    const Known what = value(ir::right(node));
    write_to(target, what, false);
    return what;
  }
  if (!ir::is(target, Kind::Name)) {
    value(ir::right(node));
    write_to(target, {}, true);
    return {};
  }
  const Known before = value(target);
  const Known by = value(ir::right(node));
  const char op = node->text[0];
  Known after;
  if (before.pointer && by.number && before.pointer->offset && (op == '+' || op == '-')) {
    after = before;
    *after.pointer->offset += op == '+' ? *by.number : Polynomial(0) - *by.number;
  } else if (before.number && by.number && target->type.is_integer()) {
    const bool wraps = before.may_wrap || by.may_wrap;
    if (op == '+') after = number(fused(*before.number + *by.number), wraps);
    if (op == '-') after = subtract(before, by, target->type);
    if (op == '*' && before.number->magnitude() * by.number->magnitude() < kLargest)
      after = number(*before.number * *by.number, wraps);
    if (op == '/' || op == '%') after = divide(before, by, op == '%');
  }
  write_to(target, after, true);
  return after;
}

/// The value where two ways meet: the same on both, or something new between bounds that hold on both.
Known Walker::one_of(const std::string& name, const Known& a, const Constraints& when_a, const Known& b,
                     const Constraints& when_b) {
  if (a.number && b.number) {
    if (*a.number == *b.number) return Known{a.number, std::nullopt, a.may_wrap || b.may_wrap};
    Known out = opaque(name);
    if (a.may_wrap || b.may_wrap) return out;
    const auto& meeting = *out.number;
    for (const auto& low : {Polynomial(0), *a.number, *b.number}) {
      if (follows(when_a, *a.number - low) && follows(when_b, *b.number - low)) axioms_.push_back(meeting - low);
    }
    for (const auto& high : {*a.number, *b.number}) {
      if (follows(when_a, high - *a.number) && follows(when_b, high - *b.number)) axioms_.push_back(high - meeting);
    }
    return out;
  }
  if (a.pointer && b.pointer && a.pointer->array == b.pointer->array) {
    Known out = a;
    if (a.pointer->offset != b.pointer->offset) out.pointer->offset.reset();
    return out;
  }
  return {};
}

Known Walker::select(const NodePtr& node) {
  const auto outer = conditions_.size();
  const int data = data_guards_;
  if (!assume(node->children[0], true)) ++data_guards_;
  const Known a = value(node->children[1]);
  const Constraints when_a = now();
  conditions_.resize(outer);
  const auto accesses = view_.accesses.size();
  assume(node->children[0], false);
  view_.accesses.resize(accesses);
  const Known b = value(node->children[2]);
  const Constraints when_b = now();
  conditions_.resize(outer);
  data_guards_ = data;
  return one_of("select", a, when_a, b, when_b);
}

}  // namespace hone::affine
