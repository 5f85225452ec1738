#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

bool written_as_number(const Node& node) {
  switch (node.kind) {
    case Kind::Integer:
    case Kind::Real: return !node.place.in_macro;
    case Kind::Cast:
    case Kind::Unary: return !node.parts.empty() && written_as_number(node.parts[0]);
    case Kind::Binary: return written_as_number(node.parts[0]) && written_as_number(node.parts[1]);
    default: return false;
  }
}

bool is_unset(const HostValue& value) {
  return value.is(VK::Unknown) && !value.parts && value.text.ends_with(" was given no value");
}

std::string plain_operator(const std::string& assignment) { return assignment.substr(0, assignment.size() - 1); }

}  // namespace

HostValue Machine::eval(const Node& node) {
  if (gave_up() || depth_ > limits_.depth) return unknown("too much to follow");
  ++depth_;
  HostValue out = eval_inner(node);
  --depth_;
  return out;
}

HostValue Machine::eval_inner(const Node& node) {
  const auto with_place = [&](HostValue value) {
    value.place = place_of(node);
    return value;
  };
  switch (node.kind) {
    case Kind::Integer: {
      errno = 0;
      auto value = static_cast<std::int64_t>(
          node.text.starts_with('-') ? std::strtoll(node.text.c_str(), nullptr, 10)
                                     : static_cast<std::int64_t>(std::strtoull(node.text.c_str(), nullptr, 10)));
      return with_place(number(value));
    }
    case Kind::Real: return with_place(real(std::strtod(node.text.c_str(), nullptr)));
    case Kind::Text: {
      auto out = with_place(text(node.text));
      TextPiece piece;
      if (node.place.file >= 0)
        piece.file = program_.unit(current_unit()).files[static_cast<std::size_t>(node.place.file)];
      piece.begin = node.place.begin;
      piece.end = node.place.end;
      piece.in_macro = node.place.in_macro;
      piece.length = node.text.size();
      out.pieces = std::make_shared<std::vector<TextPiece>>(1, piece);
      return out;
    }
    case Kind::Null: return null();
    case Kind::Zero: return zero_of(current_unit(), node.type);
    case Kind::Name:
    case Kind::Member:
    case Kind::Index:
    case Kind::Deref: {
      if (const auto at = locate_inner(node)) {
        auto held = memory_.load(*at);
        if (at->vague && held.is(VK::Unknown))
          if (auto one = one_of_several(node, *at)) return *one;
        return is_unset(held) ? asked_by_use(node, *at, std::move(held)) : held;
      }
      if (node.kind == Kind::Index || node.kind == Kind::Deref) {
        const auto base = eval(node.parts[0]);
        if (base.is(VK::Text)) {
          const auto index = node.kind == Kind::Index ? eval(node.parts[1]).whole() : std::optional<std::int64_t>(0);
          if (index && *index >= 0 && *index <= static_cast<std::int64_t>(base.text.size()))
            return number(*index < static_cast<std::int64_t>(base.text.size())
                              ? static_cast<unsigned char>(base.text[static_cast<std::size_t>(*index)])
                              : 0);
        }
        if (base.is(VK::Handle) || base.is(VK::Record)) return base;  // *shared pointer
        auto out = unknown(base.is(VK::Unknown) ? base.text : "not a place: " + source_of(node));
        out.input = base.input;
        return out;
      }
      if (node.kind == Kind::Member && !node.parts.empty()) {
        const auto base = eval(node.parts[0]);
        if (base.parts) {
          const auto found = base.parts->fields.find(node.text);
          if (found != base.parts->fields.end()) return found->second;
        }
        auto out = unknown(base.is(VK::Unknown) && !base.text.empty() ? base.text : node.text + " of " + print(base));
        out.input = base.input;
        return out;
      }
      return unknown(node.text + (node.decl == -1 ? " is not defined in the application" : " was given no value"));
    }
    case Kind::FunctionName: {
      HostValue out;
      out.kind = VK::Function;
      out.text = node.text;
      out.unit = current_unit();
      out.function = node.function;
      if (const auto ref = program_.definition(out.unit, out.function); ref.found()) {
        out.unit = ref.unit;
        out.function = ref.function;
      }
      return out;
    }
    case Kind::This: return pointer(frames_.back().self);
    case Kind::AddressOf: {
      if (node.parts[0].kind == Kind::FunctionName) return eval(node.parts[0]);
      if (const auto at = locate(node.parts[0])) return pointer(*at);
      const auto value = eval(node.parts[0]);
      if (value.is(VK::Text) || value.is(VK::Function) || value.is(VK::Lambda)) return value;
      return pointer(temporary(value));
    }
    case Kind::Decay: {
      if (node.parts[0].kind == Kind::FunctionName) return eval(node.parts[0]);
      if (const auto at = locate(node.parts[0])) return pointer(at->element(0));
      const auto value = eval(node.parts[0]);
      if (value.is(VK::Text) || value.is(VK::Pointer) || value.is(VK::Unknown)) return value;
      return pointer(temporary(value).element(0));
    }
    case Kind::Unary: {
      const auto value = eval(node.parts[0]);
      if (node.text == "!") {
        const auto truth = value.truth();
        if (truth) {
          auto out = number(*truth ? 0 : 1);
          out.input = value.input;
          if (const auto test = test_of(value))
            if (auto not_so = Expression::parse("not (" + test->print() + ")"))
              out.test = std::make_shared<const Expression>(*std::move(not_so));
          return out;
        }
        auto out = unknown(value.is(VK::Unknown) ? value.text : "! of something unknown");
        out.input = value.input;
        return out;
      }
      if (node.text == "-") {
        if (value.is(VK::Number) && value.number.root().kind == Expression::Kind::Literal) {
          auto out = value.real ? real(-value.as_real().value_or(0)) : number(-value.whole().value_or(0));
          out.place = value.place;
          return out;
        }
        return arithmetic("-", number(0), value, type_of(node));
      }
      return arithmetic("^", value, number(-1), type_of(node));
    }
    case Kind::Increment: return increment(node);
    case Kind::Binary: {
      const auto a = eval(node.parts[0]);
      const auto b = eval(node.parts[1]);
      const auto* type = type_of(node);
      const auto* operand = type_of(node.parts[0]);
      const bool compares = node.text == "<" || node.text == ">" || node.text == "<=" || node.text == ">=";
      return arithmetic(node.text, a, b, compares && operand != nullptr ? operand : type);
    }
    case Kind::Logic: return logic(node);
    case Kind::Comma: {
      HostValue out;
      for (const auto& part : node.parts) {
        if (part.kind == Kind::Declare) {
          declare(part);
        } else {
          out = eval(part);
        }
      }
      return out;
    }
    case Kind::Assign: return assign(node);
    case Kind::Select: return select(node);
    case Kind::Cast: return convert(eval(node.parts[0]), type_of(node));
    case Kind::Call:
    case Kind::CallValue:
    case Kind::MethodCall:
    case Kind::Operator: {
      const auto value = any_call(node);
      return value.is(VK::Pointer) && value.text == "reference" ? memory_.load(value.at) : value;
    }
    case Kind::Construct: return construct(node);
    case Kind::InitList: return init_list(node);
    case Kind::New: return new_object(node);
    case Kind::Lambda: return lambda(node);
    case Kind::Launch: {
      LaunchRequest request;
      const auto callee = eval(node.parts[4]);
      request.kernel_name = callee.is(VK::Function) ? callee.text : "";
      if (const auto cut = request.kernel_name.rfind("::"); cut != std::string::npos)
        request.kernel_name.erase(0, cut + 2);
      request.kernel = callee;
      const auto grid = sizes_at(eval(node.parts[0]), 3);
      const auto threads = sizes_at(eval(node.parts[1]), 3);
      request.local = threads;
      for (std::size_t d = 0; d < grid.size(); ++d)
        request.global.push_back(arithmetic("*", grid[d], d < threads.size() ? threads[d] : number(1), nullptr));
      request.global_known = !grid.empty() && !threads.empty();
      request.grid_text = source_of(node.parts[0]);
      request.block_text = source_of(node.parts[1]);
      request.shared = eval(node.parts[2]);
      for (std::size_t i = 5; i < node.parts.size(); ++i) {
        auto argument = record("#argument");
        auto parts = std::make_shared<Parts>();
        parts->fields["value"] = eval(node.parts[i]);
        parts->fields["text"] = text(source_of(node.parts[i]));
        argument.parts = std::move(parts);
        request.arguments[i - 5] = std::move(argument);
        request.written.push_back(&node.parts[i]);
      }
      launch(node, std::move(request));
      return HostValue{};
    }
    case Kind::BlockValue: {
      if (node.parts.empty()) return {};
      HostValue out;
      for (const auto& part : node.parts[0].parts) {
        const bool statement = part.kind < Kind::Integer;
        if (!statement) {
          out = eval(part);
        } else if (exec(part) != Flow::Next) {
          break;
        }
      }
      return out;
    }
    case Kind::Pack: {
      std::vector<Node> made;
      HostValue out;
      for (const auto* one : expanded(node, 0, made)) out = eval(*one);
      return out;
    }
    case Kind::Opaque: return opaque(node);
    case Kind::Throw: left_ = true; return unknown("thrown");
    default: break;
  }
  if (node.kind < Kind::Integer && node.kind != Kind::Nothing) exec(node);
  return {};
}

/// A number that is used and was set on no way that was followed: something a person gives. Which value is a guess.
HostValue Machine::asked_by_use(const Node& node, const Location& at, HostValue held) {
  const auto* type = type_of(node);
  const bool plain = type != nullptr && (type->kind == Type::Kind::Integer || type->kind == Type::Kind::Real);
  if (!plain || at.vague || node.kind == Kind::Index || node.text.empty()) return held;
  auto out = input(node.text, type->kind == Type::Kind::Real, node);
  out.from = Provenance::Kind::Guessed;
  memory_.store(at, out);
  return out;
}

/// `sizes[option - 1]` of `int sizes[] = {24, 32, 48}`: a size that somebody chooses among these. The first of them is
/// taken, which is a guess that can be said.
std::optional<HostValue> Machine::one_of_several(const Node& node, Location at) {
  constexpr std::size_t most = 16;
  at.vague = false;
  const auto held = memory_.load(at);
  if (node.kind != Kind::Index || naming_.empty() || !held.is(VK::Array) || !held.parts ||
      held.parts->elements.size() < 2 || held.parts->elements.size() > most)
    return std::nullopt;
  for (const auto& [index, element] : held.parts->elements)
    if (!element.whole() || *element.whole() < 1 || element.number.root().kind != Expression::Kind::Literal)
      return std::nullopt;
  auto out = symbol(naming_, held.parts->elements.begin()->second.known, false, node);
  trace_.symbol_provenance[out.number.root().text].kind = Provenance::Kind::Inferred;
  out.input = true;
  out.from = Provenance::Kind::Inferred;
  return out;
}

Location Machine::temporary(HostValue value) { return {make(std::move(value)), {}, false}; }

HostValue Machine::literal_as_symbol(const Node&, const Node& from, HostValue value, std::int32_t, bool changes,
                                     const std::string& name) {
  if (!value.is(VK::Number)) return value;
  const bool plain = value.number.root().kind == Expression::Kind::Literal;
  const bool open = value.input && plain && value.known;  // the default of something a person can give
  if (changes || (!open && (!plain || !written_as_number(from)))) return value;
  auto out = symbol(name, value.known, value.real, from);  // from here on a size like any other
  out.from = value.from;
  return out;
}

HostValue Machine::assign(const Node& node) {
  const auto& target = node.parts[0];
  const auto& from = node.parts[1];
  const auto outer = naming_;
  std::string name = target.text;
  if (target.kind == Kind::Index || target.kind == Kind::Deref) {
    const Node* base = &target;
    while (!base->parts.empty() && base->text.empty()) base = &base->parts[0];
    name = base->text;
  }
  if (node.text == "=") {
    if (!name.empty()) naming_ = name;
    HostValue value = convert(eval(from), type_of(target));
    naming_ = outer;
    auto at = locate(target);
    if (!at && target.kind == Kind::Name && target.decl == -1 && target.text.find(':') == std::string::npos) {
      const auto slot = make(HostValue{});
      slot_names_[slot] = target.text;
      at = frames_.back().words[target.text] = Location{slot, {}, false};
    }
    const bool field_or_variable = target.kind == Kind::Name || target.kind == Kind::Member;
    bool changes = false;
    if (target.decl >= 0) changes = program_.unit(current_unit()).decls[static_cast<std::size_t>(target.decl)].changes;
    if (field_or_variable && (target.kind == Kind::Name || target.decl < 0))
      value = literal_as_symbol(target, from, std::move(value), target.decl, changes, name);
    if (at) store(*at, value);
    return value;
  }
  const auto at = locate(target);
  const HostValue before = at ? memory_.load(*at) : unknown("no place");
  HostValue by = eval(from);
  HostValue value;
  if (before.is(VK::Text) || (by.is(VK::Text) && node.text == "+=")) {
    value = joined_text(before, by);
  } else {
    value = convert(arithmetic(plain_operator(node.text), before, by, type_of(target)), type_of(target));
  }
  if (at) store(*at, value);
  return value;
}

HostValue Machine::increment(const Node& node) {
  const auto at = locate(node.parts[0]);
  if (!at) return unknown("no place");
  const auto before = memory_.load(*at);
  const auto after =
      arithmetic(node.text.find("++") != std::string::npos ? "+" : "-", before, number(1), type_of(node));
  store(*at, after);
  return node.text.starts_with("x") ? before : after;
}

HostValue Machine::select(const Node& node) {
  const auto condition = eval(node.parts[0]);
  if (const auto truth = condition.truth()) {
    auto out = eval(node.parts[*truth ? 1 : 2]);
    out.input = out.input || condition.input;
    const auto& passed_by = node.parts[*truth ? 2 : 1];
    const auto test = test_of(condition);
    if (!test || leaves(passed_by)) return out;
    HostValue other;
    aside([&] { other = eval(passed_by); });
    return same(out, other) ? out : chosen(*test, *truth, out, other);
  }
  if (condition.device && condition.whole()) {  // a usual device decides
    auto out = eval(node.parts[*condition.whole() != 0 ? 1 : 2]);
    out.from = std::max(out.from, Provenance::Kind::Inferred);
    out.device = out.device || out.is(VK::Number);
    return out;
  }
  const auto& first = node.parts[1];
  const auto& second = node.parts[2];
  if (leaves(first)) return eval(second);
  if (leaves(second)) return eval(first);
  HostValue a, b;
  both_ways(
      node, condition,
      [&] {
        a = eval(first);
        return Flow::Next;
      },
      [&] {
        b = eval(second);
        return Flow::Next;
      });
  const auto test = test_of(condition);
  if (test && a.is(VK::Number) && b.is(VK::Number) && !same(a, b)) {  // whichever the sizes make it
    auto out = chosen(*test, true, a, b);
    if (a.known != b.known) out.known.reset();
    out.input = a.input || b.input || condition.input;
    return out;
  }
  HostValue out = join(a, b);
  if (out.is(VK::Unknown) && !condition.input && !condition.text.empty() && !a.is(VK::Unknown) && !b.is(VK::Unknown))
    out.text = fmt::format("{} or {}, by {}, which is {}", print(a), print(b), source_of(node.parts[0]),
                           condition.is(VK::Unknown) ? "unknown: " + condition.text : "not decided");
  return out;
}

HostValue Machine::logic(const Node& node) {
  const auto a = eval(node.parts[0]);
  const auto truth = a.truth();
  const bool is_and = node.text == "&&";
  const auto decided = [&](bool value, bool input) {
    auto out = number(value ? 1 : 0);
    out.input = input;
    return out;
  };
  if (truth && *truth != is_and) {
    auto out = decided(*truth, a.input);
    const auto test = test_of(a);
    if (!test) return out;
    HostValue rest;
    aside([&] { rest = eval(node.parts[1]); });
    if (const auto second = test_of(rest))
      out.test = std::make_shared<const Expression>(Expression::binary(is_and ? "and" : "or", *test, *second));
    else if (rest.truth() == std::optional(is_and))
      out.test = a.test ? a.test : std::make_shared<const Expression>(*test);
    return out;
  }
  HostValue b;
  if (truth) {
    b = eval(node.parts[1]);
  } else {  // perhaps it is never evaluated
    both_ways(
        node, a,
        [&] {
          b = eval(node.parts[1]);
          return Flow::Next;
        },
        [] { return Flow::Next; });
  }
  const auto other = b.truth();
  if (other && *other != is_and && !truth) return decided(*other, a.input || b.input);
  if (truth && other) {
    auto out = decided(*other, a.input || b.input);
    const auto first = test_of(a), second = test_of(b);
    if (first && second)
      out.test = std::make_shared<const Expression>(Expression::binary(is_and ? "and" : "or", *first, *second));
    else if (first || second)
      out.test = std::make_shared<const Expression>(first ? *first : *second);
    return out;
  }
  auto out = unknown(a.is(VK::Unknown) && !a.text.empty() ? a.text : b.is(VK::Unknown) ? b.text : "not decided");
  out.input = (a.input || truth) && (b.input || other) && (a.input || b.input);
  return out;
}

HostValue Machine::init_list(const Node& node) {
  const auto* type = type_of(node);
  const bool is_record = type != nullptr && type->kind == Type::Kind::Record;
  const auto* known = is_record ? program_.record(type->name) : nullptr;
  if (type != nullptr && !is_record && type->kind != Type::Kind::Array) {
    if (node.parts.empty()) return zero_of(current_unit(), node.type);
    if (node.parts.size() == 1) return eval(node.parts[0]);
  }
  if (known != nullptr) {
    HostValue out = record(known->name);
    auto parts = std::make_shared<Parts>();
    const bool is_union = node.text.rfind("union ", 0) == 0;
    std::size_t next = known->bases.size() < node.parts.size() && !known->bases.empty() ? known->bases.size() : 0;
    for (std::size_t i = 0; i < known->fields.size(); ++i) {
      const auto& field = known->fields[i];
      if (is_union && "union " + field.name != node.text) continue;
      const auto outer = naming_;
      naming_ = field.name;
      const auto at = is_union ? 0 : next++;
      if (at < node.parts.size()) {
        auto value = eval(node.parts[at]);
        value = literal_as_symbol(node, node.parts[at], std::move(value), -1, field.changes, field.name);
        parts->fields[field.name] = std::move(value);
      } else {
        parts->fields[field.name] = zero_of(current_unit(), -1);
      }
      naming_ = outer;
    }
    out.parts = std::move(parts);
    return out;
  }
  HostValue out = is_record ? record(type->name) : array();
  auto parts = std::make_shared<Parts>();
  std::int64_t index = 0;
  if (is_record && type->name == "std::array" && node.parts.size() == 1 && node.parts[0].kind == Kind::InitList) {
    out = init_list(node.parts[0]);
    out.kind = VK::Record;
    out.text = "std::array";
    parts = std::make_shared<Parts>(*out.parts);
    parts->size = number(type->count);
    out.parts = std::move(parts);
    return out;
  }
  std::vector<Node> made;
  for (const auto* part : expanded(node, 0, made)) parts->elements[index++] = eval(*part);
  if (node.text == "filled") parts->rest = number(0);
  if (is_record) parts->size = number(index);
  out.parts = std::move(parts);
  return out;
}

}  // namespace hone::host
