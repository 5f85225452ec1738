#include <clang/AST/DeclTemplate.h>

#include "source/host/lower.hpp"

namespace hone::host {

std::string Lowering::record_name(const clang::RecordDecl* record) {
  if (const auto* typedefed = record->getTypedefNameForAnonDecl()) return typedefed->getQualifiedNameAsString();
  if (!record->getIdentifier() && !llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
    return "unnamed@" + std::to_string(place(record->getSourceRange()).begin);
  if (llvm::isa<clang::ClassTemplateSpecializationDecl>(record) && !record->isInStdNamespace()) {
    clang::PrintingPolicy policy(context_.getLangOpts());
    policy.SuppressTagKeyword = true;
    std::string out;
    llvm::raw_string_ostream stream(out);
    record->getNameForDiagnostic(stream, policy, /*Qualified=*/true);
    return out;
  }
  auto name = record->getQualifiedNameAsString();
  for (const auto* inlined : {"std::__cxx11::", "std::__1::"}) {
    if (name.starts_with(inlined)) name = "std::" + name.substr(std::string(inlined).size());
  }
  return name;
}

std::int32_t Lowering::type_id(clang::QualType type) {
  if (type.isNull()) return -1;
  const void* key = type.getCanonicalType().getAsOpaquePtr();
  std::string named;
  if (const auto* alias = type->getAs<clang::TypedefType>()) {
    named = alias->getDecl()->getNameAsString();
    key = alias->getDecl();
  }
  if (const auto found = types_.find(key); found != types_.end()) return found->second;
  if (unit_.types.size() > 20000) return -1;
  const auto id = static_cast<std::int32_t>(unit_.types.size());
  types_[key] = id;
  unit_.types.emplace_back();
  Type out;
  const auto canonical = type.getCanonicalType();
  out.name = named;
  out.is_const = canonical.isConstQualified();
  if (!canonical->isDependentType() && !canonical->isIncompleteType() && !canonical->isFunctionType() &&
      !canonical->isPlaceholderType() && !canonical->isUndeducedType() && canonical->isConstantSizeType()) {
    const auto* tag = canonical->getAsRecordDecl();
    const auto* pointee = canonical->isArrayType() ? canonical->getBaseElementTypeUnsafe()->getAsRecordDecl() : nullptr;
    const bool broken = (tag != nullptr && tag->isInvalidDecl()) || (pointee != nullptr && pointee->isInvalidDecl());
    if (!broken)
      out.bytes =
          context_
              .getTypeSizeInChars(canonical.getNonReferenceType()->isIncompleteType() ? context_.VoidPtrTy
                                                                                      : canonical.getNonReferenceType())
              .getQuantity();
  }
  using TypeKind = Type::Kind;
  if (canonical->isVoidType()) {
    out.kind = TypeKind::Void;
  } else if (canonical->isBooleanType()) {
    out.kind = TypeKind::Bool;
  } else if (canonical->isIntegralOrEnumerationType()) {
    out.kind = TypeKind::Integer;
    out.is_signed = canonical->isSignedIntegerOrEnumerationType();
  } else if (canonical->isRealFloatingType()) {
    out.kind = TypeKind::Real;
  } else if (canonical->isReferenceType()) {
    out.kind = TypeKind::Reference;
    out.element = type_id(type.getNonReferenceType());
  } else if (canonical->isAnyPointerType()) {
    out.kind = TypeKind::Pointer;
    out.element = type_id(type->getPointeeType());
  } else if (const auto* array = context_.getAsArrayType(type)) {
    out.kind = TypeKind::Array;
    out.element = type_id(array->getElementType());
    if (const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(array))
      out.count = static_cast<std::int64_t>(sized->getSize().getLimitedValue(1LL << 40));
  } else if (const auto* tag = canonical->getAsRecordDecl()) {
    out.kind = TypeKind::Record;
    out.name = record_name(tag);
    if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
        special != nullptr && (tag->isInStdNamespace() || tag->getQualifiedNameAsString().starts_with("__gnu_cxx::"))) {
      const auto& arguments = special->getTemplateArgs();
      if (arguments.size() > 0 && arguments[0].getKind() == clang::TemplateArgument::Type)
        out.element = type_id(arguments[0].getAsType());
      if (arguments.size() > 1 && arguments[1].getKind() == clang::TemplateArgument::Integral)
        out.count = arguments[1].getAsIntegral().tryExtValue().value_or(-1);  // std::dynamic_extent is none
      if (arguments.size() > 1 && out.name.ends_with("map") && arguments[1].getKind() == clang::TemplateArgument::Type)
        out.element = type_id(arguments[1].getAsType());
    }
    record(tag);
  } else if (canonical->isFunctionType()) {
    out.kind = TypeKind::Function;
  }
  if (out.name.empty()) {
    out.name = named;
  }
  unit_.types[static_cast<std::size_t>(id)] = std::move(out);
  return id;
}

}  // namespace hone::host
