#include "ir/type.hpp"

#include <algorithm>
#include <utility>

namespace hone::ir {
namespace {

int rank(Scalar s) {
  switch (s) {
    case Scalar::Bool: return 1;
    case Scalar::Char:
    case Scalar::UChar: return 2;
    case Scalar::Short:
    case Scalar::UShort: return 3;
    case Scalar::Int:
    case Scalar::UInt: return 4;
    case Scalar::Long:
    case Scalar::ULong: return 5;
    default: return 0;
  }
}

bool floating(Scalar s) { return s == Scalar::Half || s == Scalar::Float || s == Scalar::Double; }
bool unsigned_integer(Scalar s) {
  return s == Scalar::Bool || s == Scalar::UChar || s == Scalar::UShort || s == Scalar::UInt || s == Scalar::ULong;
}

Scalar common_scalar(Scalar a, Scalar b) {
  if (floating(a) || floating(b)) {
    if (!floating(a)) return b;
    if (!floating(b)) return a;
    return std::max(a, b);
  }
  if (rank(a) < 4) a = Scalar::Int;
  if (rank(b) < 4) b = Scalar::Int;
  if (rank(a) != rank(b)) return rank(a) > rank(b) ? a : b;
  return unsigned_integer(a) ? a : b;
}

bool same_pointee(const Type& a, const Type& b, bool (*equal)(const Type&, const Type&)) {
  if ((a.pointee == nullptr) != (b.pointee == nullptr)) return false;
  return a.pointee == nullptr || equal(*a.pointee, *b.pointee);
}

bool equal(const Type& a, const Type& b) { return a == b; }

}  // namespace

bool Type::is_integer() const { return is_plain() && rank(scalar) > 0; }
bool Type::is_floating() const { return is_plain() && floating(scalar); }
bool Type::is_number() const { return lanes == 1 && (is_integer() || is_floating()); }
bool Type::is_signed() const { return is_floating() || (is_integer() && !unsigned_integer(scalar)); }

bool operator==(const Type& a, const Type& b) {
  return a.scalar == b.scalar && a.lanes == b.lanes && a.name == b.name && a.space == b.space &&
         a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_restrict == b.is_restrict &&
         a.extents == b.extents && same_pointee(a, b, equal);
}

bool alike(const Type& a, const Type& b) {
  if (a.extents != b.extents) return false;
  if (a.pointee != nullptr || b.pointee != nullptr) return same_pointee(a, b, alike);
  if (a.scalar != b.scalar || a.lanes != b.lanes) return false;
  const bool by_name = a.scalar >= Scalar::Struct;
  return !by_name || a.name == b.name;
}

Type scalar_type(Scalar scalar, int lanes) {
  Type type;
  type.scalar = scalar;
  type.lanes = lanes;
  return type;
}

Type named_type(Scalar scalar, std::string name) {
  Type type = scalar_type(scalar);
  type.name = std::move(name);
  return type;
}

Type pointer_to(Type pointee) {
  Type type = scalar_type(Scalar::ULong);
  type.pointee = std::make_shared<const Type>(std::move(pointee));
  return type;
}

Type array_of(Type element, std::vector<std::int64_t> extents) {
  extents.insert(extents.end(), element.extents.begin(), element.extents.end());
  element.extents = std::move(extents);
  return element;
}

Type in_space(Type type, AddressSpace space) {
  type.space = space;
  return type;
}

Type element_of(const Type& type) {
  if (!type.extents.empty()) {
    Type element = type;
    element.extents.erase(element.extents.begin());
    return element;
  }
  if (type.pointee) return *type.pointee;
  return lane_of(type);
}

Type lane_of(Type type) {
  if (type.lanes > 1) {
    type.lanes = 1;
    type.name.clear();
  }
  return type;
}

std::int64_t size_of(const Type& type) {
  std::int64_t count = 1;
  for (const auto extent : type.extents) count *= std::max<std::int64_t>(extent, 0);
  if (type.pointee) return 8 * count;
  const std::int64_t lanes = type.lanes == 3 ? 4 : type.lanes;
  switch (type.scalar) {
    case Scalar::Bool:
    case Scalar::Char:
    case Scalar::UChar: return lanes * count;
    case Scalar::Short:
    case Scalar::UShort:
    case Scalar::Half: return 2 * lanes * count;
    case Scalar::Int:
    case Scalar::UInt:
    case Scalar::Float: return 4 * lanes * count;
    case Scalar::Long:
    case Scalar::ULong:
    case Scalar::Double: return 8 * lanes * count;
    default: return 0;
  }
}

Type common_type(const Type& a, const Type& b) {
  if (!a.is_plain()) return a;
  if (!b.is_plain()) return b;
  if (a.scalar >= Scalar::Struct || a.scalar == Scalar::Void) return a;
  if (b.scalar >= Scalar::Struct || b.scalar == Scalar::Void) return b;
  if (a.lanes > 1 || b.lanes > 1) {
    const Type& wide = a.lanes >= b.lanes ? a : b;
    return scalar_type(wide.scalar, wide.lanes);
  }
  return scalar_type(common_scalar(a.scalar, b.scalar));
}

const char* scalar_name(Scalar scalar) {
  switch (scalar) {
    case Scalar::Void: return "void";
    case Scalar::Bool: return "bool";
    case Scalar::Char: return "char";
    case Scalar::UChar: return "uchar";
    case Scalar::Short: return "short";
    case Scalar::UShort: return "ushort";
    case Scalar::Int: return "int";
    case Scalar::UInt: return "uint";
    case Scalar::Long: return "long";
    case Scalar::ULong: return "ulong";
    case Scalar::Half: return "half";
    case Scalar::Float: return "float";
    case Scalar::Double: return "double";
    case Scalar::Struct: return "struct";
    case Scalar::Opaque: return "opaque";
    case Scalar::Unknown: break;
  }
  return "unknown";
}

}  // namespace hone::ir
