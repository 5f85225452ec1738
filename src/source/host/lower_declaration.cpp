#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>

#include "core/bindings.hpp"
#include "source/host/lower.hpp"

namespace hone::host {

namespace {

std::string function_key(const clang::FunctionDecl* function, const clang::LangOptions& options) {
  if (!options.CPlusPlus || function->isExternC()) return function->getNameAsString();
  clang::PrintingPolicy policy(options);
  policy.SuppressTagKeyword = true;
  std::string out;
  llvm::raw_string_ostream stream(out);
  function->getNameForDiagnostic(stream, policy, /*Qualified=*/true);
  stream << '(';
  for (const auto* parameter : function->parameters()) {
    if (!parameter->getType().isNull()) stream << parameter->getType().getCanonicalType().getAsString(policy) << ',';
  }
  stream << ')';
  return out;
}

std::string without_inlined(std::string name) {
  for (const auto* inlined : {"std::__cxx11::", "std::__1::"}) {
    const auto at = name.find(inlined);
    if (at != std::string::npos) name.replace(at, std::string(inlined).size(), "std::");
  }
  return name;
}

}  // namespace

/// Finds every function, variable and record of the application's files, instances of templates among them.
class Collect : public clang::RecursiveASTVisitor<Collect> {
 public:
  explicit Collect(Lowering& lowering) : lowering_(lowering) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  /// What stands in other headers is not looked at: instances of the application's templates hang at the application.
  bool TraverseDecl(clang::Decl* decl) {
    const bool outside = decl != nullptr && !llvm::isa<clang::TranslationUnitDecl>(decl) &&
                         decl->getLocation().isValid() && !lowering_.in_application(decl->getLocation());
    return outside || clang::RecursiveASTVisitor<Collect>::TraverseDecl(decl);
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() && !function->isLateTemplateParsed()) return true;
    if (lowering_.in_application(function->getLocation())) functions.push_back(function);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    const bool lives_once = variable->hasGlobalStorage() && !variable->isStaticLocal();
    if (lives_once && lowering_.in_application(variable->getLocation())) variables.push_back(variable);
    return true;
  }
  std::vector<clang::FunctionDecl*> functions;
  std::vector<clang::VarDecl*> variables;

 private:
  Lowering& lowering_;
};

/// Which variables and fields are counted up, or get a value made of their own.
class Changes : public clang::RecursiveASTVisitor<Changes> {
 public:
  explicit Changes(std::map<const clang::Decl*, bool>& changes) : changes_(changes) {}
  bool VisitUnaryOperator(clang::UnaryOperator* o) {
    if (o->isIncrementDecrementOp()) mark(o->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* o) {
    if (o->isCompoundAssignmentOp()) mark(o->getLHS());
    if (o->getOpcode() == clang::BO_Assign) {
      const auto* to = target(o->getLHS());
      if (to != nullptr && mentions(o->getRHS(), to, 0)) changes_[to] = true;
    }
    return true;
  }

 private:
  static const clang::Decl* target(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) return name->getDecl()->getCanonicalDecl();
    if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(e)) return field->getMemberDecl()->getCanonicalDecl();
    return nullptr;
  }
  void mark(const clang::Expr* e) {
    if (const auto* to = target(e)) changes_[to] = true;
  }
  static bool mentions(const clang::Stmt* e, const clang::Decl* what, int depth) {
    if (e == nullptr || depth > 60) return false;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
        name != nullptr && name->getDecl()->getCanonicalDecl() == what)
      return true;
    if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(e);
        field != nullptr && field->getMemberDecl()->getCanonicalDecl() == what)
      return true;
    for (const auto* child : e->children()) {
      if (mentions(child, what, depth + 1)) return true;
    }
    return false;
  }
  std::map<const clang::Decl*, bool>& changes_;
};

namespace {

/// `#include "../common/host.h"` in gemm/main.c names common/host.h.
std::string without_dots(llvm::StringRef path) {
  llvm::SmallString<256> out(path);
  llvm::sys::path::remove_dots(out, /*remove_dot_dot=*/true);
  return out.str().str();
}

}  // namespace

bool ApplicationFiles::has(clang::SourceLocation at) const {
  if (at.isInvalid()) return false;
  const auto place = sources_.getExpansionLoc(at);
  const auto file = sources_.getFileID(place);
  const auto known = known_.find(file.getHashValue());
  if (known != known_.end()) return known->second;
  const auto path = without_dots(sources_.getFilename(place));
  const bool ours = llvm::StringRef(path).starts_with(tree_root) && path.find("/CL/") == std::string::npos &&
                    !(is_named_like_bindings(path) && is_opencl_bindings(path, sources_.getBufferData(file)));
  return known_[file.getHashValue()] = ours;
}

std::int32_t Lowering::file_id(clang::FileID file) {
  const auto found = files_.find(file.getHashValue());
  if (found != files_.end()) return found->second;
  std::int32_t id = -1;
  if (const auto entry = sources_.getFileEntryRefForID(file)) {
    const auto name = without_dots(entry->getName());
    if (name.starts_with(tree_root)) {
      const auto path = name.substr(std::string(tree_root).size());
      for (std::size_t i = 0; i < unit_.files.size(); ++i) {
        if (unit_.files[i] == path) id = static_cast<std::int32_t>(i);
      }
      if (id < 0) {
        id = static_cast<std::int32_t>(unit_.files.size());
        unit_.files.push_back(path);
      }
    }
  }
  files_[file.getHashValue()] = id;
  return id;
}

/// Bytes of a file. What was given to a macro stands where it was written; what a macro made is the whole invocation.
Lowering::Written Lowering::written(clang::SourceRange range) const {
  Written out;
  if (range.isInvalid()) return out;
  const auto in_file = [&](clang::SourceLocation at) {
    while (at.isMacroID() && sources_.isMacroArgExpansion(at)) at = sources_.getImmediateSpellingLoc(at);
    return at;
  };
  auto begin = in_file(range.getBegin());
  auto end = in_file(range.getEnd());
  out.in_macro = begin.isMacroID() || end.isMacroID();
  if (out.in_macro) {
    begin = sources_.getExpansionRange(range.getBegin()).getBegin();
    end = sources_.getExpansionRange(range.getEnd()).getEnd();
  }
  const auto [file, offset] = sources_.getDecomposedLoc(begin);
  const auto [file_end, offset_end] = sources_.getDecomposedLoc(end);
  out.file = file;
  out.begin = out.end = offset;
  if (file_end == file && offset_end >= offset)
    out.end = offset_end + clang::Lexer::MeasureTokenLength(end, sources_, context_.getLangOpts());
  return out;
}

Place Lowering::place(clang::SourceRange range) {
  Place out;
  const auto where = written(range);
  if (where.file.isInvalid()) return out;
  out.file = file_id(where.file);
  out.begin = where.begin;
  out.end = where.end;
  out.line = sources_.getLineNumber(where.file, where.begin);
  out.in_macro = where.in_macro;
  return out;
}

std::string Lowering::text_of(clang::SourceRange range) {
  const auto where = written(range);
  if (where.file.isInvalid()) return {};
  return sources_.getBufferData(where.file).substr(where.begin, std::min(where.end - where.begin, 20000U)).str();
}

std::int32_t Lowering::decl_id(const clang::ValueDecl* decl) {
  const auto* canonical = decl->getCanonicalDecl();
  if (const auto found = decls_.find(canonical); found != decls_.end()) return found->second;
  const auto id = static_cast<std::int32_t>(unit_.decls.size());
  decls_[canonical] = id;
  unit_.decls.emplace_back();
  Decl out;
  out.name = decl->getNameAsString();
  out.type = type_id(decl->getType());
  out.place = place(decl->getSourceRange());
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    out.is_static = variable->hasGlobalStorage();
    out.is_constant = variable->isConstexpr();
    if (out.is_static && !variable->isStaticLocal()) {
      out.key = variable->getQualifiedNameAsString();
      if (!variable->hasExternalFormalLinkage())
        out.key += "@" + (unit_.files.empty() ? std::string() : unit_.files[0]);
    }
  }
  const auto changed = changes_.find(canonical);
  out.changes = changed != changes_.end();
  unit_.decls[static_cast<std::size_t>(id)] = std::move(out);
  return id;
}

std::int32_t Lowering::function_id(const clang::FunctionDecl* function) {
  const auto* canonical = function->getCanonicalDecl();
  if (const auto found = functions_.find(canonical); found != functions_.end()) return found->second;
  const auto id = static_cast<std::int32_t>(unit_.functions.size());
  functions_[canonical] = id;
  unit_.functions.emplace_back();
  Function out;
  out.name = without_inlined(function->getQualifiedNameAsString());
  out.key = function_key(function, context_.getLangOpts());
  out.is_static = !function->hasExternalFormalLinkage() || function->getStorageClass() == clang::SC_Static;
  out.is_template = function->isDependentContext();
  out.returns_reference = !function->getType().isNull() && function->getReturnType()->isReferenceType();
  out.is_kernel = function->hasAttr<clang::CUDAGlobalAttr>();
  for (unsigned i = 0; i < std::min(function->getNumParams(), 32U); ++i) {
    const auto type = function->getParamDecl(i)->getType();
    if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified()) out.changes_parameters |= 1U << i;
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    out.is_method = !method->isStatic();
    out.is_static = false;
    out.record = record_name(method->getParent());
    out.is_constructor = llvm::isa<clang::CXXConstructorDecl>(method);
  }
  unit_.functions[static_cast<std::size_t>(id)] = std::move(out);
  return id;
}

/// `using Base::Base;`: the base's constructor gets every parameter as it came.
Node Lowering::inherited_constructor(const clang::CXXInheritedCtorInitExpr* e, const clang::CXXConstructorDecl* from) {
  const auto* base = e->getConstructor();
  Node out = make(Kind::Construct, e, record_name(base->getParent()));
  out.function = function_id(base);
  out.type = type_id(e->getType());
  for (const auto* parameter : from->parameters()) {
    Node name = make(Kind::Name, e, parameter->getNameAsString());
    name.decl = decl_id(parameter);
    name.type = type_id(parameter->getType().getNonReferenceType());
    out.parts.push_back(std::move(name));
  }
  return out;
}

void Lowering::function_body(const clang::FunctionDecl* function) {
  const auto id = static_cast<std::size_t>(function_id(function));
  if (unit_.functions[id].has_body) return;
  unit_.functions[id].has_body = true;
  std::vector<std::int32_t> parameters;
  bool pack = false;
  for (const auto* parameter : function->parameters()) {
    parameters.push_back(decl_id(parameter));
    pack = pack || parameter->isParameterPack();
  }
  std::vector<Node> initializers;
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const auto* one : constructor->inits()) {
      if (one->getInit() == nullptr) continue;
      if (llvm::isa<clang::CXXDefaultInitExpr>(one->getInit())) continue;  // a new object has these already
      Node made = make(Kind::Nothing, one->getInit());
      if (const auto* field = one->getAnyMember()) {
        made.text = field->getNameAsString();
        made.type = type_id(field->getType());
      } else if (one->isBaseInitializer() && one->getBaseClass() != nullptr) {
        const auto* base = one->getBaseClass()->getAsRecordDecl();
        made.text = "base " + (base != nullptr ? record_name(base) : "");
      } else {
        made.text = "this";
      }
      if (const auto* inherited = llvm::dyn_cast<clang::CXXInheritedCtorInitExpr>(one->getInit())) {
        made.parts.push_back(inherited_constructor(inherited, constructor));
      } else {
        made.parts.push_back(value(one->getInit()));
      }
      initializers.push_back(std::move(made));
    }
  }
  Node body = function->hasBody() ? statement(function->getBody()) : Node{};
  auto& out = unit_.functions[id];
  out.parameters = std::move(parameters);
  out.has_pack = pack;
  out.initializers = std::move(initializers);
  out.body = std::move(body);
  out.place = place(function->getSourceRange());
}

void Lowering::record(const clang::RecordDecl* record) {
  const auto* definition = record->getDefinition();
  if (definition == nullptr || definition->isInStdNamespace() || definition->isDependentContext() ||
      definition->isInvalidDecl())
    return;
  const auto name = record_name(definition);
  if (name.starts_with("cl::") || records_[name]) return;
  records_[name] = true;
  Record out;
  out.name = name;
  const bool laid_out = !definition->isDependentType();
  if (laid_out) out.bytes = context_.getTypeSizeInChars(context_.getRecordType(definition)).getQuantity();
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(definition)) {
    for (const auto& base : cxx->bases()) {
      if (const auto* of = base.getType()->getAsRecordDecl()) {
        out.bases.push_back(record_name(of));
        this->record(of);
      }
    }
  }
  for (const auto* field : definition->fields()) {
    Field one;
    one.name = field->getNameAsString();
    one.type = type_id(field->getType());
    if (laid_out) one.offset = static_cast<std::int64_t>(context_.getFieldOffset(field) / 8);
    one.changes = changes_.contains(field->getCanonicalDecl());
    if (field->hasInClassInitializer() && field->getInClassInitializer() != nullptr)
      one.initial = value(field->getInClassInitializer());
    out.fields.push_back(std::move(one));
  }
  unit_.records.push_back(std::move(out));
}

void Lowering::global(const clang::VarDecl* variable) {
  if (variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly) return;
  if (variable->getDeclContext()->isDependentContext()) return;
  unit_.globals.push_back(declare(variable));
}

void Lowering::run() {
  (void)file_id(sources_.getMainFileID());
  Collect collect(*this);
  collect.TraverseAST(context_);
  Changes changes(changes_);
  for (auto* function : collect.functions) changes.TraverseDecl(function);
  for (const auto* variable : collect.variables) global(variable);
  for (const auto* function : collect.functions) {
    if (unit_.functions.size() > 20000) break;
    function_body(function);
  }
}

}  // namespace hone::host
