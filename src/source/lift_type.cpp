// Clang's types as ours.
#include <clang/AST/Type.h>

#include <map>

#include "ir/type.hpp"
#include "source/lift_state.hpp"

namespace hone::source {
namespace {

using ir::Scalar;

Scalar builtin(const clang::BuiltinType& type) {
  using K = clang::BuiltinType;
  switch (type.getKind()) {
    case K::Void: return Scalar::Void;
    case K::Bool: return Scalar::Bool;
    case K::Char_S:
    case K::SChar: return Scalar::Char;
    case K::Char_U:
    case K::UChar: return Scalar::UChar;
    case K::Short: return Scalar::Short;
    case K::UShort: return Scalar::UShort;
    case K::Int: return Scalar::Int;
    case K::UInt: return Scalar::UInt;
    case K::Long:
    case K::LongLong: return Scalar::Long;
    case K::ULong:
    case K::ULongLong: return Scalar::ULong;
    case K::Half:
    case K::Float16: return Scalar::Half;
    case K::Float: return Scalar::Float;
    case K::Double: return Scalar::Double;
    default: return Scalar::Opaque;
  }
}

/// float4 and its like are structs in CUDA's and HIP's headers.
std::optional<ir::Type> vector_struct(const std::string& name) {
  static const std::map<std::string, Scalar> scalars = {
      {"char", Scalar::Char},   {"uchar", Scalar::UChar},   {"short", Scalar::Short},   {"ushort", Scalar::UShort},
      {"int", Scalar::Int},     {"uint", Scalar::UInt},     {"long", Scalar::Long},     {"ulong", Scalar::ULong},
      {"float", Scalar::Float}, {"double", Scalar::Double}, {"longlong", Scalar::Long}, {"ulonglong", Scalar::ULong}};
  if (name.empty() || name.back() < '1' || name.back() > '4') return std::nullopt;
  const auto found = scalars.find(name.substr(0, name.size() - 1));
  if (found == scalars.end()) return std::nullopt;
  auto type = ir::scalar_type(found->second, name.back() - '0');
  if (type.lanes == 1) type.name = name;
  return type;
}

ir::AddressSpace space(clang::LangAS space) {
  switch (space) {
    case clang::LangAS::opencl_global: return ir::AddressSpace::Global;
    case clang::LangAS::opencl_local: return ir::AddressSpace::Local;
    case clang::LangAS::opencl_constant: return ir::AddressSpace::Constant;
    case clang::LangAS::opencl_generic: return ir::AddressSpace::Generic;
    default: return ir::AddressSpace::Private;
  }
}

}  // namespace

bool Lift::from_header(const clang::Decl* declaration) const {
  const auto at = sources_.getExpansionLoc(declaration->getLocation());
  if (at.isInvalid() || declaration->isImplicit()) return true;
  const auto file = sources_.getFilename(at);
  return file.starts_with("/hone-stubs/") || file.starts_with(HONE_CLANG_RESOURCES);
}

/// What is left when pointers and arrays are off: a scalar, a vector, a struct, or something only known by its name.
ir::Type Lift::base_type(clang::QualType q) const {
  const bool opencl = text_->dialect == ir::Dialect::OpenCL;
  ir::Type out;
  std::string name;
  for (const auto* alias = q->getAs<clang::TypedefType>(); alias != nullptr;
       alias = alias->desugar()->getAs<clang::TypedefType>()) {
    const auto word = alias->getDecl()->getName().str();
    const bool sizes = word == "size_t" || word == "ptrdiff_t" || word == "intptr_t" || word == "uintptr_t";
    if (name.empty() && (!opencl || !from_header(alias->getDecl()) || sizes)) name = word;
  }
  const auto canonical = q.getCanonicalType().getUnqualifiedType();
  const auto policy = clang::PrintingPolicy(context_.getLangOpts());
  if (const auto* plain = canonical->getAs<clang::BuiltinType>()) {
    out.scalar = builtin(*plain);
    if (out.scalar == Scalar::Opaque) name = q.getUnqualifiedType().getAsString(policy);
    if (name.empty() && plain->getKind() == clang::BuiltinType::LongLong && !opencl) name = "long long";
    if (name.empty() && plain->getKind() == clang::BuiltinType::ULongLong && !opencl) name = "unsigned long long";
  } else if (const auto* vector = canonical->getAs<clang::ExtVectorType>()) {
    out = base_type(vector->getElementType());
    out.lanes = static_cast<int>(vector->getNumElements());
  } else if (canonical->isEnumeralType()) {
    out.scalar = Scalar::Int;
    if (name.empty()) name = q.getUnqualifiedType().getAsString(policy);
  } else if (const auto* record = canonical->getAs<clang::RecordType>()) {
    out.scalar = Scalar::Struct;
    const auto tag = record->getDecl()->getName().str();
    if (name.empty()) name = q.getUnqualifiedType().getAsString(policy);
    if (const auto lanes = from_header(record->getDecl()) ? vector_struct(tag) : std::nullopt) return *lanes;
    if (from_header(record->getDecl()) && (tag == "__half" || tag == "__half2")) {
      out.scalar = Scalar::Half;
      out.lanes = tag == "__half2" ? 2 : 1;
    }
  } else {
    name = q.getUnqualifiedType().getAsString(policy);
  }
  out.name = name;
  return out;
}

ir::Type Lift::type(clang::QualType q) const {
  if (q.isNull()) return {};
  if (const auto* array = context_.getAsArrayType(q)) {
    const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(array);
    const std::int64_t extent = constant != nullptr ? constant->getSize().getSExtValue() : -1;
    return ir::array_of(type(array->getElementType()), {extent});
  }
  ir::Type out;
  const auto* pointer = q->getAs<clang::PointerType>();
  if (pointer != nullptr && !pointer->getPointeeType()->isFunctionType()) {
    auto to = type(pointer->getPointeeType());
    if (text_->dialect != ir::Dialect::OpenCL && to.is_plain()) to.space = ir::AddressSpace::Generic;
    out = ir::pointer_to(std::move(to));
  } else {
    out = base_type(q);
  }
  out.is_const = q.isConstQualified();
  out.is_volatile = q.isVolatileQualified();
  out.is_restrict = q.isRestrictQualified();
  out.space = space(q.getAddressSpace());
  return out;
}

}  // namespace hone::source
