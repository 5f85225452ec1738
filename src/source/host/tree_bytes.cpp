#include <cstring>

#include "source/host/tree.hpp"

namespace hone::host {
namespace {

constexpr std::uint32_t deepest = 600;

class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void operator()(const T& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint32_t>(text.size()));
    out += text;
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    (*this)(static_cast<std::uint32_t>(items.size()));
    for (const auto& item : items) (*this)(item);
  }
  template <class T>
    requires std::is_class_v<T>
  void operator()(const T& value) {
    describe(*this, const_cast<T&>(value));
  }
  void enter() {}
  void leave() {}
  std::string out;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    if (bytes_.size() < sizeof(T)) return fail_now();
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }
  void operator()(bool& value) {
    std::uint8_t byte = 0;
    (*this)(byte);
    value = byte != 0;
  }
  void operator()(std::string& text) {
    std::uint32_t size = 0;
    (*this)(size);
    if (size > bytes_.size()) return fail_now();
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <class T>
  void operator()(std::vector<T>& items) {
    std::uint32_t size = 0;
    (*this)(size);
    if (size > bytes_.size()) return fail_now();  // each item takes a byte at least
    items.resize(size);
    for (auto& item : items) {
      (*this)(item);
      if (failed) return;
    }
  }
  template <class T>
    requires std::is_class_v<T>
  void operator()(T& value) {
    describe(*this, value);
  }
  void enter() {
    if (++depth_ > deepest) fail_now();
  }
  void leave() { --depth_; }
  bool failed = false;
  bool at_end() const { return bytes_.empty(); }

 private:
  void fail_now() {
    failed = true;
    bytes_ = {};
  }
  std::string_view bytes_;
  std::uint32_t depth_ = 0;
};

template <class Each, class Enum>
void as_byte(Each& each, Enum& value, Enum last) {
  auto byte = static_cast<std::uint8_t>(value);
  each(byte);
  value = byte > static_cast<std::uint8_t>(last) ? last : static_cast<Enum>(byte);
}

template <class Each>
void describe(Each& each, Place& p) {
  each(p.file), each(p.begin), each(p.end), each(p.line), each(p.in_macro);
}
template <class Each>
void describe(Each& each, Node& n) {
  each.enter();
  as_byte(each, n.kind, Kind::Nothing);
  each(n.text), each(n.decl), each(n.function), each(n.type), each(n.place), each(n.parts);
  each.leave();
}
template <class Each>
void describe(Each& each, Type& t) {
  as_byte(each, t.kind, Type::Kind::Function);
  each(t.is_signed), each(t.is_const), each(t.bytes), each(t.element), each(t.count), each(t.name);
}
template <class Each>
void describe(Each& each, Decl& d) {
  each(d.name), each(d.key), each(d.type), each(d.place), each(d.is_static), each(d.is_constant), each(d.changes);
}
template <class Each>
void describe(Each& each, Function& f) {
  each(f.name), each(f.key), each(f.record), each(f.parameters), each(f.has_body), each(f.is_static);
  each(f.is_kernel), each(f.is_method), each(f.is_constructor), each(f.has_pack), each(f.returns_reference),
      each(f.is_template), each(f.changes_parameters), each(f.place);
  each(f.initializers), each(f.body);
}
template <class Each>
void describe(Each& each, Field& f) {
  each(f.name), each(f.type), each(f.offset), each(f.changes), each(f.initial);
}
template <class Each>
void describe(Each& each, Record& r) {
  each(r.name), each(r.bytes), each(r.bases), each(r.fields);
}
template <class Each>
void describe(Each& each, Unit& u) {
  each(u.files), each(u.types), each(u.decls), each(u.functions), each(u.records), each(u.globals), each(u.notes);
}

constexpr std::uint32_t unit_mark = 0x686f6e34;

/// Ids out of range would be read past the end later on.
/// What the interpreter takes for granted of a node of that kind.
std::size_t fewest_parts(Kind kind) {
  switch (kind) {
    case Kind::For: return 4;
    case Kind::Launch: return 5;
    case Kind::Select: return 3;
    case Kind::If:
    case Kind::While:
    case Kind::Do:
    case Kind::RangeFor:
    case Kind::Index:
    case Kind::Binary:
    case Kind::Logic:
    case Kind::Assign:
    case Kind::New: return 2;
    case Kind::Switch:
    case Kind::Case:
    case Kind::Deref:
    case Kind::AddressOf:
    case Kind::Decay:
    case Kind::Unary:
    case Kind::Increment:
    case Kind::Cast:
    case Kind::CallValue:
    case Kind::MethodCall:
    case Kind::BlockValue:
    case Kind::Pack: return 1;
    default: return 0;
  }
}

bool ids_hold(const Unit& unit, const Node& node) {
  const auto within = [](std::int32_t id, std::size_t size) {
    return id >= -1 && id < static_cast<std::int64_t>(size);
  };
  if (node.parts.size() < fewest_parts(node.kind) || (node.kind == Kind::Declare && node.decl < 0)) return false;
  if (!within(node.decl, unit.decls.size()) || !within(node.function, unit.functions.size()) ||
      !within(node.type, unit.types.size()) || !within(node.place.file, unit.files.size()))
    return false;
  for (const auto& part : node.parts) {
    if (!ids_hold(unit, part)) return false;
  }
  return true;
}

bool ids_hold(const Unit& unit) {
  if (unit.files.empty()) return false;
  const auto type_ok = [&](std::int32_t id) { return id >= -1 && id < static_cast<std::int64_t>(unit.types.size()); };
  for (const auto& type : unit.types) {
    if (!type_ok(type.element)) return false;
  }
  for (const auto& decl : unit.decls) {
    if (!type_ok(decl.type)) return false;
  }
  for (const auto& record : unit.records) {
    for (const auto& field : record.fields) {
      if (!type_ok(field.type) || !ids_hold(unit, field.initial)) return false;
    }
  }
  for (const auto& function : unit.functions) {
    for (const auto parameter : function.parameters) {
      if (parameter < 0 || parameter >= static_cast<std::int64_t>(unit.decls.size())) return false;
    }
    if (!ids_hold(unit, function.body)) return false;
    for (const auto& one : function.initializers) {
      if (!ids_hold(unit, one)) return false;
    }
  }
  for (const auto& global : unit.globals) {
    if (global.kind != Kind::Declare || !ids_hold(unit, global)) return false;
  }
  return true;
}

}  // namespace

std::string to_bytes(const Unit& unit) {
  ByteWriter writer;
  writer(unit_mark);
  writer(unit);
  writer(unit_mark);
  return std::move(writer.out);
}

Result<Unit> unit_from_bytes(std::string_view bytes) {
  ByteReader reader(bytes);
  Unit unit;
  std::uint32_t first = 0, last = 0;
  reader(first);
  reader(unit);
  reader(last);
  if (reader.failed || first != unit_mark || last != unit_mark || !reader.at_end() || !ids_hold(unit))
    return fail("E-HOSTTREE", "the host tree is not complete");
  return unit;
}

}  // namespace hone::host
