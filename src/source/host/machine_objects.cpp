#include "source/host/machine.hpp"

namespace hone::host {
namespace {
using VK = HostValue::Kind;
constexpr int deepest_object = 8;
}  // namespace

HostValue Machine::zero_of(std::int32_t unit, std::int32_t type, int depth) {
  if (type < 0 || depth > deepest_object) return number(0);
  const auto& of = program_.unit(unit).types[static_cast<std::size_t>(type)];
  switch (of.kind) {
    case Type::Kind::Real: return real(0.0);
    case Type::Kind::Pointer: return null();
    case Type::Kind::Array: {
      HostValue out = array();
      auto parts = std::make_shared<Parts>();
      const bool records =
          of.element >= 0 && program_.unit(unit).types[static_cast<std::size_t>(of.element)].kind == Type::Kind::Record;
      parts->rest = zero_of(unit, of.element, depth + 1);
      if (records) parts->rest = zero_of(unit, of.element, depth + 1);
      out.parts = std::move(parts);
      return out;
    }
    case Type::Kind::Record: {
      HostValue out = default_object(of.name, depth + 1);
      if (out.text.rfind("std::", 0) == 0 || !out.parts) return out;
      auto parts = std::make_shared<Parts>(*out.parts);
      std::int32_t home = -1;
      if (const auto* known = program_.record(of.name, &home)) {
        for (const auto& field : known->fields) {
          if (field.initial.kind == Kind::Nothing) parts->fields[field.name] = zero_of(home, field.type, depth + 1);
        }
      }
      out.parts = std::move(parts);
      return out;
    }
    default: return number(0);
  }
}

/// A new object of a class: fields as their initialisers say, others without a value.
HostValue Machine::default_object(const std::string& of, int depth) {
  if (of == "std::basic_string" || of == "std::string") return text("");
  if (of.rfind("std::", 0) == 0) {
    HostValue out = record(of);
    auto parts = std::make_shared<Parts>();
    parts->size = number(0);
    if (of.ends_with("stringstream")) parts->fields["text"] = text("");
    out.parts = std::move(parts);
    return out;
  }
  HostValue out = record(of);
  std::int32_t home = -1;
  const auto* known = depth > deepest_object ? nullptr : program_.record(of, &home);
  if (known == nullptr) return out;
  auto parts = std::make_shared<Parts>();
  for (const auto& base : known->bases) {
    const auto inherited = default_object(base, depth + 1);
    if (inherited.parts) parts->fields.insert(inherited.parts->fields.begin(), inherited.parts->fields.end());
  }
  for (const auto& field : known->fields) {
    if (field.initial.kind != Kind::Nothing) {
      Frame frame;
      frame.function = {home, -1};
      frames_.push_back(std::move(frame));
      const auto outer = naming_;
      naming_ = field.name;
      auto value =
          convert(eval(field.initial),
                  field.type >= 0 ? &program_.unit(home).types[static_cast<std::size_t>(field.type)] : nullptr);
      parts->fields[field.name] =
          literal_as_symbol(field.initial, field.initial, std::move(value), -1, field.changes, field.name);
      naming_ = outer;
      frames_.pop_back();
    } else if (field.type >= 0) {
      const auto& type = program_.unit(home).types[static_cast<std::size_t>(field.type)];
      if (type.kind == Type::Kind::Record) parts->fields[field.name] = default_object(type.name, depth + 1);
      if (type.kind == Type::Kind::Array) parts->fields[field.name] = array();
    }
  }
  out.parts = std::move(parts);
  return out;
}

}  // namespace hone::host
