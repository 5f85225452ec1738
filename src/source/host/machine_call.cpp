#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

bool is_library(const std::string& name) { return name.rfind("std::", 0) == 0 || name.rfind("__gnu_cxx::", 0) == 0; }

/// cudaEventCreate, hipMemcpy2D, cuCtxCreate: what they give is whether they succeeded.
bool is_runtime(const std::string& name) {
  for (const std::string_view vendor : {"cuda", "hip", "cu"})
    if (name.starts_with(vendor) && name.size() > vendor.size() &&
        std::isupper(static_cast<unsigned char>(name[vendor.size()])) != 0)
      return true;
  return false;
}

/// What a field that holds a function is.
std::optional<HostValue> function_in(const HostValue& object, const std::string& field) {
  if (!object.is(VK::Record) || !object.parts) return std::nullopt;
  const auto found = object.parts->fields.find(field);
  if (found == object.parts->fields.end()) return std::nullopt;
  const bool callable = found->second.is(VK::Function) || found->second.is(VK::Lambda);
  return callable ? std::optional(found->second) : std::nullopt;
}

std::vector<const Node*> pointers_to(const std::vector<Node>& nodes, std::size_t from) {
  std::vector<const Node*> out;
  for (std::size_t i = from; i < nodes.size(); ++i) out.push_back(&nodes[i]);
  return out;
}

}  // namespace

HostValue Machine::any_call(const Node& node) {
  switch (node.kind) {
    case Kind::Call: return call(node);
    case Kind::MethodCall: return method_call(node);
    case Kind::Operator: return operator_call(node);
    default: break;
  }
  std::vector<HostValue> values;
  const auto callee = eval(node.parts[0]);
  for (std::size_t i = 1; i < node.parts.size(); ++i) values.push_back(eval(node.parts[i]));
  return call_value(callee, values, node);
}

HostValue Machine::call(const Node& node) {
  std::vector<Node> made;
  const auto arguments = expanded(node, 0, made);
  if (const auto* row = find_row(Kind::Call, node.text)) {
    ApiCall api{*this, node, nullptr, arguments, {}, {}};
    return row->run(api);
  }
  if (auto out = variable_arguments(node, arguments)) return *out;
  FunctionRef ref = program_.definition(current_unit(), node.function);
  if (!ref.found() && node.function < 0) ref = program_.by_name(current_unit(), node.text, arguments.size());
  const bool in_library = is_library(node.text);
  if (ref.found() && !in_library) {
    if (program_.function(ref).is_method && node.function < 0)
      return call_function(ref, arguments, nullptr, frames_.back().self, nullptr, node);
    return call_function(ref, arguments, nullptr, std::nullopt, nullptr, node);
  }
  if (node.text == "std::swap" || node.text == "std::exchange" || node.text == "swap" || node.text == "iter_swap" ||
      node.text == "std::iter_swap") {
    if (arguments.size() == 2) {
      const auto a = locate(*arguments[0]);
      const auto b = node.text.ends_with("exchange") ? std::nullopt : locate(*arguments[1]);
      if (!a) return unknown("swapped");
      const auto x = memory_.load(*a);
      const auto y = b ? memory_.load(*b) : eval(*arguments[1]);
      memory_.store(*a, y);
      if (b) memory_.store(*b, x);
      return x;
    }
  }
  const bool passes_on = node.text == "std::move" || node.text == "std::forward" || node.text == "std::ref" ||
                         node.text == "std::cref" || node.text == "std::as_const" || node.text == "std::addressof";
  if (passes_on && arguments.size() == 1) {
    const auto at = locate(*arguments[0]);
    if (!at) return eval(*arguments[0]);
    if (node.text == "std::addressof") return pointer(*at);
    return reference(*at);
  }
  std::vector<HostValue> values;
  for (const auto* argument : arguments) {
    values.push_back(eval(*argument));
  }
  if (node.text == "std::make_unique" || node.text == "std::make_shared") {
    const auto* type = type_of(node);
    const auto* of = type != nullptr && type->element >= 0
                         ? &program_.unit(current_unit()).types[static_cast<std::size_t>(type->element)]
                         : nullptr;
    if (of == nullptr || of->kind != Type::Kind::Record)
      return values.empty() ? pointer(temporary(array()).element(0)) : pointer(temporary(values[0]));
    const Location at = temporary(default_object(of->name));
    // Its own constructor, or the one it inherits.
    std::string owner = of->name;
    for (int depth = 0; depth < 8; ++depth) {
      auto plain = owner.substr(0, owner.find('<'));
      if (const auto cut = plain.rfind("::"); cut != std::string::npos) plain.erase(0, cut + 2);
      const auto constructor = program_.method(owner, plain, values.size());
      if (constructor.found()) {
        call_function(constructor, {}, &values, at, nullptr, node);
        break;
      }
      const auto* known = program_.record(owner);
      if (values.empty() || known == nullptr || known->bases.empty()) break;
      owner = known->bases.front();
    }
    return pointer(at);
  }
  if (node.text == "std::getline" || node.text == "getline" || node.text == "std::operator>>") {
    for (const auto* argument : arguments) {
      if (const auto at = locate(*argument); at && values.size() > 1 && argument == arguments[1])
        memory_.store(*at, unknown("read from a stream"));
    }
    return values.empty() ? HostValue{} : values[0];
  }
  bool known = false;
  HostValue out = library_call(*this, node.text, node, values, known);
  if (known) return out;
  // A function nobody here defines may change what it gets the address of.
  if (!in_library) forget_references(node, arguments);
  for (const auto& value : values) {
    if (value.is(VK::Pointer) && value.at.slot >= 0 && !slot_names_[value.at.slot].empty() &&
        !memory_.load(value.at).is(VK::Handle) && !memory_.load(value.at).is(VK::Text)) {
      const auto held = memory_.load(value.at);
      if (held.is(VK::Unknown)) give_input(value, "given by " + node.text, node);
      if (held.is(VK::Number)) memory_.store(value.at, unknown("may be changed by " + node.text));
    }
  }
  const auto* type = type_of(node);
  // The way on from there is the one where it did.
  if (type != nullptr && type->kind == Type::Kind::Integer && is_runtime(node.text)) return number(0);
  if (type != nullptr && (type->kind == Type::Kind::Integer || type->kind == Type::Kind::Real) && !naming_.empty() &&
      !in_library) {
    return input(naming_, type->kind == Type::Kind::Real, node);
  }
  return unknown("what " + node.text + " gives");
}

HostValue Machine::call_value(const HostValue& callee, const std::vector<HostValue>& values, const Node& node) {
  if (callee.is(VK::Function)) {
    const FunctionRef ref{callee.unit, callee.function};
    if (callee.function >= 0 && program_.function(ref).has_body)
      return call_function(ref, {}, &values, std::nullopt, nullptr, node);
    if (const auto* row = find_row(Kind::Call, callee.text)) {
      ApiCall api{*this, node, nullptr, pointers_to(node.parts, 1), {}, {}};
      return row->run(api);
    }
    bool known = false;
    return library_call(*this, callee.text, node, values, known);
  }
  if (callee.is(VK::Lambda)) {
    const auto closure = callee.closure;  // kept while it runs
    return call_function({callee.unit, callee.function}, {}, &values,
                         closure ? std::optional(closure->self) : std::nullopt, closure.get(), node);
  }
  for (const auto& value : values) {
    if (value.is_handle("kernel")) note(place_of(node) + ": a kernel goes to a function that could not be found");
  }
  return unknown("a call of what is not known");
}

HostValue Machine::method_call(const Node& node) {
  std::vector<Node> made;
  auto arguments = expanded(node, 1, made);
  const auto& object = node.parts[0];
  auto at = locate(object);
  HostValue held = at ? memory_.load(*at) : eval(object);
  if (!at && held.is(VK::Pointer)) {
    at = held.at;
    held = memory_.load(*at);
  }
  if (const auto held_function = function_in(held, node.text)) {  // backend->launch(...), of a table of pointers
    std::vector<HostValue> values;
    for (const auto* argument : arguments) values.push_back(eval(*argument));
    return call_value(*held_function, values, node);
  }
  // The class says which method, when it is known; of a library object what it holds.
  const auto* type = type_of(object);
  std::string of = held.is(VK::Record) ? held.text : "";
  if (of.empty() && type != nullptr) of = type->name;
  if (of.empty() && node.function >= 0)
    of = program_.unit(current_unit()).functions[static_cast<std::size_t>(node.function)].record;
  std::string declared =
      node.function >= 0 ? program_.unit(current_unit()).functions[static_cast<std::size_t>(node.function)].record : of;
  if (declared.rfind("cl::", 0) == 0 || of.rfind("cl::", 0) == 0 || held.is(VK::Handle) ||
      (of.empty() && declared.empty())) {
    const auto* row = find_method_row(declared.rfind("cl::", 0) == 0 ? declared : of, node.text);
    if (row == nullptr && !is_library(declared)) row = find_row(Kind::MethodCall, node.text);
    if (row != nullptr) {
      ApiCall api{*this, node, &object, arguments, {}, {}};
      return row->run(api);
    }
    if (held.is(VK::Handle)) {
      for (const auto* argument : arguments) eval(*argument);
      if (node.text == "operator" || node.text == "get" || node.text == "operator()") return held;
    }
  }
  FunctionRef ref;
  if (held.is(VK::Record) && !held.text.empty() && !is_library(held.text))
    ref = program_.method(held.text, node.text, arguments.size());
  const bool overloaded = node.function >= 0;
  if (overloaded) {
    const auto exact = program_.definition(current_unit(), node.function);
    const bool overridden =
        ref.found() && exact.found() && program_.function(ref).record != program_.function(exact).record;
    if (exact.found() && !overridden) ref = exact;
  }
  if (!ref.found() && !overloaded && !is_library(of))
    ref = program_.by_name(current_unit(), node.text, arguments.size());
  if (ref.found() && !is_library(program_.function(ref).record)) {
    if (!at) at = temporary(held);
    return call_function(ref, arguments, nullptr, at, nullptr, node);
  }
  std::vector<HostValue> values;
  for (const auto* argument : arguments) values.push_back(eval(*argument));
  if (at && held.is(VK::Unknown) && declared == "std::vector" &&
      (node.text == "resize" || node.text == "assign" ||
       node.text == "clear")) {  // whatever it held, now it has a size
    auto parts = std::make_shared<Parts>();
    parts->size = number(0);
    parts->rest = held;
    held = record("std::vector");
    held.parts = std::move(parts);
  }
  bool known = false;
  HostValue out = library_method(*this, node.text, at, held, values, node, known);
  if (known) return out;
  for (const auto& value : values) {
    if (value.is_handle("kernel"))
      note(fmt::format("{}: a kernel goes to {}, which is not in the application", place_of(node), node.text));
  }
  if (!is_library(of) && !is_library(declared)) forget_references(node, arguments);
  auto result = unknown("what " + node.text + " gives");
  result.input = held.input;
  return result;
}

/// Operands whose types a template leaves open, and that turn out to be numbers: what the language does with those.
std::optional<HostValue> Machine::plain_operation(const Node& node, const std::optional<Location>& at,
                                                  const HostValue& first) {
  if (node.function >= 0) return std::nullopt;
  const auto& op = node.text;
  if (op == "&" && node.parts.size() == 1) {
    if (at) return pointer(*at);
    return pointer(temporary(first));
  }
  if (!first.is(VK::Number) || !at) return std::nullopt;
  const bool counts = op == "++" || op == "--";
  const bool assigns =
      op.size() >= 2 && op.back() == '=' && std::string_view("=!<>").find(op[0]) == std::string_view::npos;
  if (!counts && !(assigns && node.parts.size() == 2)) return std::nullopt;
  const auto by = counts ? number(1) : eval(node.parts[1]);
  const auto after = convert(arithmetic(op.substr(0, op.size() - 1), first, by, type_of(node)), type_of(node));
  memory_.store(*at, after);
  return counts && node.parts.size() > 1 ? first : after;
}

HostValue Machine::operator_call(const Node& node) {
  if (node.parts.empty()) return {};
  const auto ref = program_.definition(current_unit(), node.function);
  if (ref.found() && !is_library(program_.function(ref).name)) {
    const auto& function = program_.function(ref);
    if (!function.is_method)
      return call_function(ref, pointers_to(node.parts, 0), nullptr, std::nullopt, nullptr, node);
    const auto callee = node.text == "()" ? eval(node.parts[0]) : HostValue{};
    if (callee.is(VK::Lambda)) {
      std::vector<HostValue> values;
      const auto closure = callee.closure;
      return call_function({callee.unit, callee.function}, pointers_to(node.parts, 1), nullptr,
                           closure ? std::optional(closure->self) : std::nullopt, closure.get(), node);
    }
    auto at = locate(node.parts[0]);
    if (!at) at = temporary(eval(node.parts[0]));
    return call_function(ref, pointers_to(node.parts, 1), nullptr, at, nullptr, node);
  }
  const auto at = locate(node.parts[0]);
  const auto first = at ? memory_.load(*at) : eval(node.parts[0]);
  const auto second = [&] { return node.parts.size() > 1 ? eval(node.parts[1]) : HostValue{}; };
  if (node.text == "()") {
    const auto of = node.function >= 0
                        ? program_.unit(current_unit()).functions[static_cast<std::size_t>(node.function)].record
                        : std::string();
    const bool functor = of.starts_with("cl::KernelFunctor") || of.find("::make_kernel") != std::string::npos ||
                         of.find("functionImplementation_") != std::string::npos;
    const bool kernel = functor || first.is_handle("kernel") || (first.is(VK::Record) && first.text == "#functor");
    if (kernel && node.parts.size() > 1) {
      if (const auto* row = find_method_row("cl::KernelFunctor", "operator()")) {
        ApiCall api{*this, node, &node.parts[0], pointers_to(node.parts, 1), {}, {}};
        return row->run(api);
      }
    }
    if (first.is(VK::Handle) && node.parts.size() == 1) return first;  // cl::Buffer::operator()
    std::vector<HostValue> values;
    for (std::size_t i = 1; i < node.parts.size(); ++i) values.push_back(eval(node.parts[i]));
    return call_value(first, values, node);
  }
  if (node.text == "=") {
    const auto outer = naming_;
    if (!node.parts[0].text.empty()) naming_ = node.parts[0].text;
    auto value = second();
    naming_ = outer;
    if (first.is(VK::Record) && first.text.rfind("std::", 0) == 0 && value.is(VK::Array)) {  // v = {a, b}
      value.kind = VK::Record;
      value.text = first.text;
      auto parts = std::make_shared<Parts>(*value.parts);
      parts->size = number(static_cast<std::int64_t>(parts->elements.size()));
      value.parts = std::move(parts);
    }
    if (at) {
      store(*at, value);
      return reference(*at);
    }
    return value;
  }
  if (node.text == "->") return first;
  if (auto out = plain_operation(node, at, first)) return *out;
  if (node.text == "*" && node.parts.size() == 1) {
    if (first.is(VK::Pointer)) return reference(first.at);
    return first;
  }
  if (node.text == "!" && node.parts.size() == 1) {
    const auto truth = first.truth();
    return truth ? number(*truth ? 0 : 1) : unknown("! of " + print(first));
  }
  if ((node.text == "++" || node.text == "--") && first.is(VK::Pointer) && at) {
    auto moved = first;
    if (!first.at.path.empty() && !first.at.path.back().field.empty()) {  // of a map
      std::vector<HostValue> none;
      bool known = false;
      moved = library_method(*this, "next entry", at, first, none, node, known);
    } else {
      moved.at = first.at.moved(node.text == "++" ? 1 : -1);
    }
    memory_.store(*at, moved);
    return node.parts.size() > 1 ? first : moved;
  }
  std::vector<HostValue> values;
  for (std::size_t i = 1; i < node.parts.size(); ++i) values.push_back(eval(node.parts[i]));
  bool known = false;
  HostValue out = library_method(*this, "operator" + node.text, at, first, values, node, known);
  if (known) return out;
  if (values.size() == 1 && (first.is(VK::Text) || values[0].is(VK::Text)) && node.text == "+")
    return joined_text(first, values[0]);
  if (values.size() == 1 && (node.text == "==" || node.text == "!=")) {
    const auto a = text_value(first);
    const auto b = text_value(values[0]);
    if (a && b) return number((a->text == b->text) == (node.text == "==") ? 1 : 0);
  }
  if (values.size() == 1) return arithmetic(node.text, first, values[0], type_of(node));
  return unknown("operator" + node.text);
}

HostValue Machine::construct(const Node& node, const std::optional<Location>& into) {
  std::vector<Node> made;
  const auto arguments = expanded(node, 0, made);
  if (const auto* row = find_row(Kind::Construct, node.text)) {
    ApiCall api{*this, node, nullptr, arguments, {}, {}};
    return row->run(api);
  }
  const auto ref = program_.definition(current_unit(), node.function);
  if (ref.found() && !is_library(node.text)) {
    const auto& function = program_.function(ref);
    const Location at = into ? *into : temporary(HostValue{});
    memory_.store(at, default_object(function.record.empty() ? node.text : function.record));
    call_function(ref, arguments, nullptr, at, nullptr, node);
    return memory_.load(at);
  }
  if (!is_library(node.text) && program_.record(node.text) != nullptr) {
    if (arguments.empty()) return default_object(node.text);
    if (arguments.size() == 1) return eval(*arguments[0]);
  }
  std::vector<HostValue> values;
  for (const auto* argument : arguments) values.push_back(eval(*argument));
  bool known = false;
  HostValue out = library_object(*this, node.text, node, values, known);
  if (known) return out;
  if (values.size() == 1 && !values[0].is(VK::Unknown)) return values[0];
  if (values.empty()) return record(node.text);
  return unknown("a " + node.text);
}

}  // namespace hone::host
