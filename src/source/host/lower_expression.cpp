#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprConcepts.h>
#include <llvm/ADT/StringExtras.h>

#include "source/host/lower.hpp"

namespace hone::host {
namespace {

constexpr int deepest_expression = 400;
constexpr std::size_t longest_list = 4096;

std::string plain_name(const clang::DeclarationName& name) {
  auto text = name.getAsString();
  return text;
}

/// Where the arguments of the call stand in its text: `f(a, g(b), c)` gives three ranges.
std::vector<std::pair<std::size_t, std::size_t>> argument_ranges(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto open = text.find('(');
  if (open == std::string::npos) return out;
  int depth = 0;
  char quote = 0;
  std::size_t begin = open + 1;
  for (auto i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if ((c == ',' && depth == 1) || depth == 0) {
      if (i > begin || c == ',') out.emplace_back(begin, i);
      begin = i + 1;
      if (depth == 0) break;
    }
  }
  return out;
}

std::string standard_name(const clang::FunctionDecl* function) {
  auto name = function->getQualifiedNameAsString();
  for (const auto* inlined : {"std::__cxx11::", "std::__1::"}) {
    if (name.starts_with(inlined)) name = "std::" + name.substr(std::string(inlined).size());
  }
  return name;
}

}  // namespace

Node Lowering::value(const clang::Expr* e) { return expression(e); }

/// Compile-time constants that the interpreter could not find by itself: sizeof, traits, constexpr of the library.
Node Lowering::constant(const clang::Expr* e, const Node& otherwise) {
  if (e->isValueDependent() || e->isTypeDependent() || e->containsErrors()) return otherwise;
  clang::Expr::EvalResult result;
  if (!e->getType()->isIntegralOrEnumerationType() || !e->EvaluateAsInt(result, context_)) return otherwise;
  Node out = make(Kind::Integer, e, llvm::toString(result.Val.getInt(), 10));
  out.type = type_id(e->getType());
  return out;
}

Node Lowering::expression(const clang::Expr* e) {
  if (e == nullptr) return {};
  if (++depth_ > deepest_expression) {
    --depth_;
    return make(Kind::Opaque, e, "nested too deeply");
  }
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  const auto typed = [&](Node node) {
    node.type = type_id(e->getType());
    return node;
  };
  using namespace clang;
  if (const auto* x = dyn_cast<ParenExpr>(e)) return expression(x->getSubExpr());
  if (const auto* x = dyn_cast<FullExpr>(e)) return expression(x->getSubExpr());
  if (const auto* x = dyn_cast<MaterializeTemporaryExpr>(e)) return expression(x->getSubExpr());
  if (const auto* x = dyn_cast<CXXBindTemporaryExpr>(e)) return expression(x->getSubExpr());
  if (const auto* x = dyn_cast<SubstNonTypeTemplateParmExpr>(e)) return expression(x->getReplacement());
  if (const auto* x = dyn_cast<CXXDefaultArgExpr>(e)) return expression(x->getExpr());
  if (const auto* x = dyn_cast<CXXDefaultInitExpr>(e)) return expression(x->getExpr());
  if (const auto* x = dyn_cast<CXXStdInitializerListExpr>(e)) return expression(x->getSubExpr());
  if (const auto* x = dyn_cast<CompoundLiteralExpr>(e)) return expression(x->getInitializer());
  if (const auto* x = dyn_cast<CXXRewrittenBinaryOperator>(e)) return expression(x->getSemanticForm());
  if (const auto* x = dyn_cast<OpaqueValueExpr>(e)) return expression(x->getSourceExpr());
  if (const auto* x = dyn_cast<ChooseExpr>(e)) return expression(x->getChosenSubExpr());
  if (const auto* x = dyn_cast<GenericSelectionExpr>(e); x != nullptr && !x->isResultDependent())
    return expression(x->getResultExpr());
  if (const auto* x = dyn_cast<IntegerLiteral>(e))
    return typed(make(Kind::Integer, e, llvm::toString(x->getValue(), 10, e->getType()->isSignedIntegerType())));
  if (const auto* x = dyn_cast<CharacterLiteral>(e))
    return typed(make(Kind::Integer, e, std::to_string(x->getValue())));
  if (const auto* x = dyn_cast<CXXBoolLiteralExpr>(e)) return typed(make(Kind::Integer, e, x->getValue() ? "1" : "0"));
  if (const auto* x = dyn_cast<FloatingLiteral>(e)) {
    llvm::SmallString<32> text;
    x->getValue().toString(text);
    return typed(make(Kind::Real, e, text.str().str()));
  }
  if (isa<CXXNullPtrLiteralExpr>(e) || isa<GNUNullExpr>(e)) return make(Kind::Null, e);
  if (const auto* x = dyn_cast<StringLiteral>(e)) {
    if (x->getCharByteWidth() != 1) return make(Kind::Opaque, e, "wide string");
    return typed(make(Kind::Text, e, x->getBytes().str()));
  }
  if (const auto* x = dyn_cast<PredefinedExpr>(e))
    return make(Kind::Text, e, x->getFunctionName() != nullptr ? x->getFunctionName()->getString().str() : "");
  if (const auto* x = dyn_cast<DeclRefExpr>(e)) return typed(reference(x));
  if (const auto* x = dyn_cast<MemberExpr>(e)) return typed(member(x));
  if (const auto* x = dyn_cast<ArraySubscriptExpr>(e))
    return typed(make(Kind::Index, e, {}, {expression(x->getBase()), expression(x->getIdx())}));
  if (const auto* x = dyn_cast<UnaryOperator>(e)) return typed(unary(x));
  if (const auto* x = dyn_cast<BinaryOperator>(e)) return typed(operation(x));
  if (const auto* x = dyn_cast<ConditionalOperator>(e))
    return typed(make(Kind::Select, e, {},
                      {expression(x->getCond()), expression(x->getTrueExpr()), expression(x->getFalseExpr())}));
  if (const auto* x = dyn_cast<BinaryConditionalOperator>(e))
    return typed(make(Kind::Select, e, {},
                      {expression(x->getCommon()), expression(x->getCommon()), expression(x->getFalseExpr())}));
  if (const auto* x = dyn_cast<CastExpr>(e)) return cast(x);
  if (const auto* x = dyn_cast<CallExpr>(e)) return typed(call(x));
  if (const auto* x = dyn_cast<CXXConstructExpr>(e)) return typed(construct(x));
  if (const auto* x = dyn_cast<LambdaExpr>(e)) return typed(lambda(x));
  if (const auto* x = dyn_cast<RecoveryExpr>(e)) return recovery(x);
  if (const auto* x = dyn_cast<VAArgExpr>(e))
    return typed(make(Kind::Call, e, "va_arg", {expression(x->getSubExpr())}));
  if (isa<CXXThisExpr>(e)) return typed(make(Kind::This, e));
  if (isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) return typed(make(Kind::Zero, e));
  if (const auto* x = dyn_cast<StmtExpr>(e)) return make(Kind::BlockValue, e, {}, {statement(x->getSubStmt())});
  if (isa<CXXThrowExpr>(e)) return make(Kind::Throw, e);
  if (isa<CXXDeleteExpr>(e)) return make(Kind::Nothing, e);
  if (isa<UnaryExprOrTypeTraitExpr>(e) || isa<TypeTraitExpr>(e) || isa<OffsetOfExpr>(e) || isa<SizeOfPackExpr>(e) ||
      isa<CXXNoexceptExpr>(e) || isa<ConceptSpecializationExpr>(e))
    return typed(constant(e, make(Kind::Opaque, e, text_of(e->getSourceRange()))));
  if (const auto* x = dyn_cast<InitListExpr>(e)) {
    if (x->isSyntacticForm() && x->getSemanticForm() != nullptr) x = x->getSemanticForm();
    if (x->isTransparent() && x->getNumInits() == 1) return expression(x->getInit(0));
    Node out = make(Kind::InitList, e);
    for (unsigned i = 0; i < x->getNumInits() && i < longest_list; ++i) out.parts.push_back(expression(x->getInit(i)));
    if (x->hasArrayFiller() && x->getType()->isArrayType()) out.text = "filled";
    if (const auto* field = x->getInitializedFieldInUnion()) out.text = "union " + field->getNameAsString();
    return typed(std::move(out));
  }
  if (const auto* x = dyn_cast<CXXNewExpr>(e)) {
    Node out = make(
        Kind::New, e, {},
        {x->isArray() && x->getArraySize() && *x->getArraySize() != nullptr ? expression(*x->getArraySize()) : Node{},
         x->getInitializer() != nullptr ? expression(x->getInitializer()) : Node{}});
    out.type = type_id(x->getAllocatedType());
    return out;
  }
  if (const auto* x = dyn_cast<PackExpansionExpr>(e)) return make(Kind::Pack, e, {}, {expression(x->getPattern())});
  if (const auto* x = dyn_cast<CXXFoldExpr>(e)) return make(Kind::Pack, e, "fold", {expression(x->getPattern())});
  if (const auto* x = dyn_cast<ParenListExpr>(e)) {
    Node out = make(Kind::InitList, e);
    for (unsigned i = 0; i < x->getNumExprs(); ++i) out.parts.push_back(expression(x->getExpr(i)));
    return out;
  }
  if (const auto* x = dyn_cast<CXXParenListInitExpr>(e)) {
    Node out = make(Kind::InitList, e);
    for (const auto* part : x->getInitExprs()) out.parts.push_back(expression(part));
    return typed(std::move(out));
  }
  if (const auto* x = dyn_cast<CXXUnresolvedConstructExpr>(e)) {
    Node out = make(Kind::Construct, e, x->getTypeAsWritten().getAsString());
    for (const auto* argument : x->arguments()) out.parts.push_back(expression(argument));
    return typed(std::move(out));
  }
  if (const auto* x = dyn_cast<UnresolvedLookupExpr>(e)) return make(Kind::FunctionName, e, plain_name(x->getName()));
  if (const auto* x = dyn_cast<CXXDependentScopeMemberExpr>(e)) {
    Node base = x->isImplicitAccess() ? make(Kind::This, e) : expression(x->getBase());
    return make(Kind::Member, e, plain_name(x->getMember()), {std::move(base)});
  }
  if (const auto* x = dyn_cast<UnresolvedMemberExpr>(e)) {
    Node base = x->isImplicitAccess() ? make(Kind::This, e) : expression(x->getBase());
    return make(Kind::Member, e, plain_name(x->getMemberName()), {std::move(base)});
  }
  Node out = make(Kind::Opaque, e, text_of(e->getSourceRange()));
  for (const auto* child : e->children()) {
    if (const auto* part = dyn_cast_or_null<Expr>(child)) out.parts.push_back(expression(part));
  }
  return out;
}

Node Lowering::reference(const clang::DeclRefExpr* e) {
  const auto* decl = e->getDecl();
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(decl))
    return make(Kind::Integer, e, llvm::toString(constant->getInitVal(), 10));
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
    Node out = make(Kind::FunctionName, e, standard_name(function));
    out.function = function_id(function);
    return out;
  }
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    if (variable->hasGlobalStorage() && !in_application(variable->getLocation())) {
      Node other = make(Kind::Name, e, variable->getQualifiedNameAsString());
      return constant(e, other);
    }
  }
  Node out = make(Kind::Name, e, decl->getNameAsString());
  out.decl = decl_id(decl);
  return out;
}

Node Lowering::member(const clang::MemberExpr* e) {
  const auto* decl = e->getMemberDecl();
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    Node out = make(Kind::Name, e, variable->getNameAsString());
    out.decl = decl_id(variable);
    return constant(e, out);
  }
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(decl))
    return make(Kind::Integer, e, llvm::toString(constant->getInitVal(), 10));
  Node base = expression(e->getBase());
  if (e->isArrow()) base = make(Kind::Deref, e->getBase(), {}, {std::move(base)});
  if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(decl); field != nullptr && field->isAnonymousStructOrUnion())
    return base;
  Node out = make(Kind::Member, e, decl->getNameAsString(), {std::move(base)});
  if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(decl)) {
    record(field->getParent());
    if (changes_.contains(field->getCanonicalDecl())) out.decl = decl_id(field);
  }
  return out;
}

Node Lowering::unary(const clang::UnaryOperator* e) {
  Node of = expression(e->getSubExpr());
  switch (e->getOpcode()) {
    case clang::UO_AddrOf: return make(Kind::AddressOf, e, {}, {std::move(of)});
    case clang::UO_Deref: return make(Kind::Deref, e, {}, {std::move(of)});
    case clang::UO_Minus: return make(Kind::Unary, e, "-", {std::move(of)});
    case clang::UO_Not: return make(Kind::Unary, e, "~", {std::move(of)});
    case clang::UO_LNot: return make(Kind::Unary, e, "!", {std::move(of)});
    case clang::UO_PreInc: return make(Kind::Increment, e, "++x", {std::move(of)});
    case clang::UO_PostInc: return make(Kind::Increment, e, "x++", {std::move(of)});
    case clang::UO_PreDec: return make(Kind::Increment, e, "--x", {std::move(of)});
    case clang::UO_PostDec: return make(Kind::Increment, e, "x--", {std::move(of)});
    default: return of;
  }
}

Node Lowering::operation(const clang::BinaryOperator* e) {
  Node left = expression(e->getLHS());
  Node right = expression(e->getRHS());
  std::vector<Node> both;
  both.push_back(std::move(left));
  both.push_back(std::move(right));
  const auto kind = e->isAssignmentOp()                 ? Kind::Assign
                    : e->isLogicalOp()                  ? Kind::Logic
                    : e->getOpcode() == clang::BO_Comma ? Kind::Comma
                                                        : Kind::Binary;
  return make(kind, e, e->getOpcodeStr().str(), std::move(both));
}

Node Lowering::cast(const clang::CastExpr* e) {
  using namespace clang;
  switch (e->getCastKind()) {
    case CK_NullToPointer: return make(Kind::Null, e);
    case CK_ArrayToPointerDecay: {
      Node of = expression(e->getSubExpr());
      if (of.kind == Kind::Text) return of;
      Node out = make(Kind::Decay, e, {}, {std::move(of)});
      out.type = type_id(e->getType());
      return out;
    }
    case CK_IntegralCast:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingCast:
    case CK_IntegralToBoolean:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean: {
      Node of = expression(e->getSubExpr());
      Node out = make(Kind::Cast, e, {}, {std::move(of)});
      out.type = type_id(e->getType());
      return out;
    }
    case CK_Dependent: {
      Node out = make(Kind::Cast, e, {}, {expression(e->getSubExpr())});
      out.type = type_id(e->getType());
      return out;
    }
    default: break;
  }
  Node of = expression(e->getSubExpr());
  if (isa<ExplicitCastExpr>(e) && (of.type < 0 || e->getType()->isPointerType())) of.type = type_id(e->getType());
  return of;
}

Node Lowering::construct(const clang::CXXConstructExpr* e) {
  const auto* constructor = e->getConstructor();
  const bool copies = constructor->isCopyOrMoveConstructor();
  const bool written =
      constructor->hasBody() && in_application(constructor->getLocation()) && !constructor->isDefaulted();
  if (copies && !written && e->getNumArgs() >= 1) return expression(e->getArg(0));
  Node out = make(Kind::Construct, e, record_name(constructor->getParent()));
  out.function = function_id(constructor);
  for (const auto* argument : e->arguments()) out.parts.push_back(expression(argument));
  return out;
}

Node Lowering::lambda(const clang::LambdaExpr* e) {
  Node out = make(Kind::Lambda, e);
  const auto* call = e->getCallOperator();
  if (call == nullptr) return out;
  if (const auto* pattern = call->getDescribedFunctionTemplate()) {
    for (const auto* instance : pattern->specializations()) call = llvm::cast<clang::CXXMethodDecl>(instance);
  }
  out.function = function_id(call);
  for (const auto& capture : e->captures()) {
    if (!capture.capturesVariable()) continue;
    Node one = make(Kind::Name, nullptr, capture.getCaptureKind() == clang::LCK_ByCopy ? "copy" : "reference");
    one.decl = decl_id(capture.getCapturedVar());
    out.parts.push_back(std::move(one));
  }
  return out;
}

Node Lowering::recovery(const clang::RecoveryExpr* e) {
  Node out = make(Kind::Opaque, e, text_of(e->getSourceRange()));
  for (const auto* part : e->subExpressions()) out.parts.push_back(expression(part));
  // name(arguments) with a name nobody declared, or arguments that do not fit: still a call of that name
  const bool named =
      !out.parts.empty() && out.parts[0].kind == Kind::FunctionName && out.text.find('(') != std::string::npos;
  // An argument that makes no sense is left out by Clang; the others must keep their positions.
  const auto put_in_place = [&](std::size_t first) {
    if (out.place.in_macro || out.place.file < 0) return;
    const auto ranges = argument_ranges(out.text);
    if (ranges.size() + first <= out.parts.size() || ranges.size() > 64) return;
    std::vector<Node> placed(out.parts.begin(), out.parts.begin() + static_cast<std::ptrdiff_t>(first));
    for (const auto& [begin, end] : ranges) {
      Node missing;
      missing.kind = Kind::Opaque;
      missing.text = out.text.substr(begin, end - begin);
      missing.place = out.place;
      for (std::size_t p = first; p < out.parts.size(); ++p) {
        const auto at = out.parts[p].place.begin;
        if (out.parts[p].place.file == out.place.file && at >= out.place.begin + begin && at < out.place.begin + end)
          missing = out.parts[p];
      }
      placed.push_back(std::move(missing));
    }
    out.parts = std::move(placed);
  };
  if (named) {
    put_in_place(1);
    out.kind = Kind::Call;
    out.text = out.parts[0].text;
    out.function = out.parts[0].function;
    out.parts.erase(out.parts.begin());
    return out;
  }
  const bool method =
      !out.parts.empty() && out.parts[0].kind == Kind::Member && out.text.find('(') != std::string::npos;
  if (method) {
    put_in_place(1);
    Node member = std::move(out.parts[0]);
    out.kind = Kind::MethodCall;
    out.text = member.text;
    out.parts[0] = std::move(member.parts[0]);
    return out;
  }
  return out;
}

}  // namespace hone::host
