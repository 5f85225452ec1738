// Types and declarations as each dialect writes them.
#include <array>

#include "ir/printer.hpp"

namespace hone::ir {
namespace {

struct CudaName {
  const char* scalar;
  const char* vector;  ///< followed by the number of lanes; null when there is none
};

CudaName cuda_name(Scalar s) {
  switch (s) {
    case Scalar::Bool: return {"bool", nullptr};
    case Scalar::Char: return {"char", "char"};
    case Scalar::UChar: return {"unsigned char", "uchar"};
    case Scalar::Short: return {"short", "short"};
    case Scalar::UShort: return {"unsigned short", "ushort"};
    case Scalar::Int: return {"int", "int"};
    case Scalar::UInt: return {"unsigned int", "uint"};
    case Scalar::Long: return {"long", "longlong"};
    case Scalar::ULong: return {"unsigned long", "ulonglong"};
    case Scalar::Half: return {"__half", nullptr};
    case Scalar::Float: return {"float", "float"};
    case Scalar::Double: return {"double", "double"};
    default: return {"void", nullptr};
  }
}

std::string extents(const Type& type) {
  std::string out;
  for (const auto extent : type.extents) out += extent < 0 ? "[]" : "[" + std::to_string(extent) + "]";
  return out;
}

const char* space_word(AddressSpace space, Dialect dialect, bool variable) {
  const bool cl = dialect == Dialect::OpenCL;
  switch (space) {
    case AddressSpace::Global: return cl ? "__global " : "";
    case AddressSpace::Local: return cl ? "__local " : variable ? "__shared__ " : "";
    case AddressSpace::Constant: return cl ? "__constant " : variable ? "__constant__ " : "";
    default: return "";
  }
}

}  // namespace

std::string Printer::scalar(const Type& type) {
  const bool builtin = type.scalar < Scalar::Struct;
  const bool known = !foreign() || type.name == "size_t" || declared_.contains(type.name);
  if (!type.name.empty() && known) return type.name;
  if (!builtin) return refuse(type.name.empty() ? "a type that was not understood" : "the type " + type.name);
  if (to_ == Dialect::OpenCL)
    return type.lanes > 1 ? scalar_name(type.scalar) + std::to_string(type.lanes) : scalar_name(type.scalar);
  const auto names = cuda_name(type.scalar);
  if (type.scalar == Scalar::Half && foreign()) return refuse("half precision");
  if (type.lanes == 1) return names.scalar;
  if (names.vector == nullptr || type.lanes > 4)
    return refuse("vectors of " + std::to_string(type.lanes) + " " + scalar_name(type.scalar));
  return names.vector + std::to_string(type.lanes);
}

/// The type all declarators of one declaration share: qualifiers, space and name, pointers and arrays taken off.
std::string Printer::base(const Type& type) {
  const Type* at = &type;
  while (at->pointee) at = at->pointee.get();
  const bool variable = at == &type;
  if (at->space == AddressSpace::Generic && to_ == Dialect::OpenCL)
    return refuse("a pointer into no known address space");
  std::string out = space_word(at->space, to_, variable);
  if (at->is_const) out += "const ";
  if (at->is_volatile) out += "volatile ";
  return out + scalar(*at);
}

std::string Printer::declarator(const Type& type, std::string name) {
  if (!type.extents.empty()) {
    if (name.starts_with('*')) name = "(" + name + ")";
    name += extents(type);
  }
  if (!type.pointee) return name;
  std::string star = "*";
  const std::string space = space_word(type.space, to_, false);
  star += space;
  if (type.is_const) star += "const ";
  if (type.is_volatile) star += "volatile ";
  if (type.is_restrict) star += to_ == Dialect::OpenCL ? "restrict " : "__restrict__ ";
  return declarator(*type.pointee, star + name);
}

std::string Printer::declaration(const Type& type, const std::string& name) {
  const auto front = base(type);
  auto rest = declarator(type, name);
  while (rest.ends_with(' ')) rest.pop_back();
  return rest.empty() ? front : front + " " + rest;
}

}  // namespace hone::ir
