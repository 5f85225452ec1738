// Expressions. What is not understood gives null, and the statement around it becomes Verbatim.
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include <array>

#include "ir/build.hpp"
#include "source/lift_state.hpp"

namespace hone::source {
namespace {

using ir::Kind;

/// Conversions and wrappers Clang adds; the source does not show them.
const clang::Expr* written(const clang::Expr* e) {
  for (;;) {
    if (const auto* n = llvm::dyn_cast<clang::ImplicitCastExpr>(e))
      e = n->getSubExpr();
    else if (const auto* f = llvm::dyn_cast<clang::FullExpr>(e))
      e = f->getSubExpr();
    else if (const auto* m = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = m->getSubExpr();
    else if (const auto* b = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
      e = b->getSubExpr();
    else if (const auto* s = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
      e = s->getReplacement();
    else if (const auto* c = llvm::dyn_cast<clang::CXXConstructExpr>(e);
             c != nullptr && c->getNumArgs() == 1 && c->getConstructor()->isCopyOrMoveConstructor() &&
             !llvm::isa<clang::CXXTemporaryObjectExpr>(c))
      e = c->getArg(0);
    else
      return e;
  }
}

std::optional<ir::Thread> opencl_index(llvm::StringRef callee) {
  using ir::Thread;
  if (!callee.consume_front("get_")) return std::nullopt;
  for (const auto thread : {Thread::GlobalId, Thread::LocalId, Thread::GroupId, Thread::GlobalSize, Thread::LocalSize,
                            Thread::NumGroups, Thread::GlobalOffset})
    if (callee == ir::thread_name(thread)) return thread;
  return std::nullopt;
}

std::optional<ir::Thread> cuda_index(llvm::StringRef variable) {
  if (variable == "threadIdx") return ir::Thread::LocalId;
  if (variable == "blockIdx") return ir::Thread::GroupId;
  if (variable == "blockDim") return ir::Thread::LocalSize;
  if (variable == "gridDim") return ir::Thread::NumGroups;
  return std::nullopt;
}

/// hipBlockIdx_x
std::optional<std::pair<ir::Thread, int>> old_hip_index(llvm::StringRef variable) {
  const auto [name, axis] = variable.split('_');
  if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z') return std::nullopt;
  using ir::Thread;
  for (const auto& [word, thread] :
       {std::pair{"hipThreadIdx", Thread::LocalId}, std::pair{"hipBlockIdx", Thread::GroupId},
        std::pair{"hipBlockDim", Thread::LocalSize}, std::pair{"hipGridDim", Thread::NumGroups}})
    if (name == word) return std::pair{thread, axis[0] - 'x'};
  return std::nullopt;
}

Made lifted_index(ir::Thread thread, int dimension) {
  auto node = made(Kind::ThreadIndex, ir::thread_name(thread));
  node->type = ir::uint_type();
  node->dimension = dimension;
  return node;
}

bool is_pair(const ir::Node& product, const char* one, const char* other) {
  if (product.kind != Kind::Binary || product.text != "*") return false;
  const auto& a = *product.children[0];
  const auto& b = *product.children[1];
  if (a.kind != Kind::ThreadIndex || b.kind != Kind::ThreadIndex || a.dimension != b.dimension) return false;
  return (a.text == one && b.text == other) || (a.text == other && b.text == one);
}

/// blockIdx.x * blockDim.x + threadIdx.x is global_id(0), gridDim.x * blockDim.x is global_size(0).
void normalise_thread_index(ir::Node& node) {
  const auto become = [&](ir::Thread thread, int dimension) {
    node.kind = Kind::ThreadIndex;
    node.text = ir::thread_name(thread);
    node.dimension = dimension;
    node.children.clear();
  };
  if (is_pair(node, "num_groups", "local_size")) return become(ir::Thread::GlobalSize, node.children[0]->dimension);
  if (node.kind != Kind::Binary || node.text != "+") return;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& product = *node.children[side];
    const auto& local = *node.children[1 - side];
    if (!is_pair(product, "group_id", "local_size") || local.kind != Kind::ThreadIndex || local.text != "local_id")
      continue;
    if (product.children[0]->dimension == local.dimension) return become(ir::Thread::GlobalId, local.dimension);
  }
}

bool is_wide_literal(const clang::CallExpr* e, llvm::StringRef callee, const ir::Type& type) {
  return callee.starts_with("make_") && type.lanes > 1 && e->getNumArgs() == static_cast<unsigned>(type.lanes);
}

}  // namespace

Made made(Kind kind, std::string text) {
  auto node = std::make_shared<ir::Node>();
  node->kind = kind;
  node->text = std::move(text);
  return node;
}

Made Lift::make(Kind kind, const clang::Expr* e, std::string text,
                const std::vector<const clang::Expr*>& children) const {
  auto node = made(kind, std::move(text));
  node->type = type(e->getType());
  for (const auto* child : children) {
    auto lifted = expression(child);
    if (!lifted) return nullptr;
    node->children.push_back(std::move(lifted));
  }
  return node;
}

Made Lift::expression(const clang::Expr* e) const {
  if (e == nullptr) return nullptr;
  e = written(e);
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e)) {
    const auto where = span(parens->getSourceRange());
    const auto* macro = where && parens->getBeginLoc().isMacroID() ? header_macro(*where) : nullptr;
    auto inner = macro != nullptr ? make(Kind::Name, e, macro->name, {}) : expression(parens->getSubExpr());
    if (inner) own(inner, where);
    return inner && covered(*inner) ? inner : nullptr;
  }
  if (e->containsErrors() || e->isInstantiationDependent()) return nullptr;
  const auto where = span(e->getSourceRange());
  const auto* macro = where && e->getBeginLoc().isMacroID() ? header_macro(*where) : nullptr;
  auto node = macro != nullptr ? make(Kind::Name, e, macro->name, {}) : bare_expression(e);
  if (!node) return nullptr;
  own(node, where);
  return covered(*node) ? node : nullptr;
}

Made Lift::bare_expression(const clang::Expr* e) const {
  if (const auto* n = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (n->hasQualifier()) return nullptr;
    if (text_->dialect == ir::Dialect::Hip && from_header(n->getDecl()))
      if (const auto index = old_hip_index(n->getDecl()->getName())) return lifted_index(index->first, index->second);
    return make(Kind::Name, e, n->getDecl()->getNameAsString(), {});
  }
  if (const auto* n = llvm::dyn_cast<clang::BinaryOperator>(e)) return binary(n);
  if (const auto* n = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (n->getOpcode() > clang::UO_LNot) return nullptr;
    const auto op = clang::UnaryOperator::getOpcodeStr(n->getOpcode()).str();
    return make(Kind::Unary, e, (n->isPostfix() ? "post" : "") + op, {n->getSubExpr()});
  }
  if (const auto* n = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    return n->getLHS() == n->getBase() ? make(Kind::Index, e, "", {n->getBase(), n->getIdx()}) : nullptr;
  }
  if (const auto* n = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) return overloaded(n);
  if (const auto* n = llvm::dyn_cast<clang::CallExpr>(e)) return call(n);
  if (const auto* n = llvm::dyn_cast<clang::MemberExpr>(e)) return member(n);
  if (const auto* n = llvm::dyn_cast<clang::ExtVectorElementExpr>(e)) {
    const auto field = n->getAccessor().getName().str();
    return n->isArrow() ? through_pointer(e, n->getBase(), field) : make(Kind::Member, e, field, {n->getBase()});
  }
  if (const auto* n = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return make(Kind::Select, e, "", {n->getCond(), n->getTrueExpr(), n->getFalseExpr()});
  if (const auto* n = llvm::dyn_cast<clang::CompoundLiteralExpr>(e)) return compound_literal(n);
  if (const auto* n = llvm::dyn_cast<clang::ExplicitCastExpr>(e)) return explicit_cast(n);
  if (const auto* n = llvm::dyn_cast<clang::InitListExpr>(e)) {
    const auto* list = n->isSemanticForm() && n->getSyntacticForm() != nullptr ? n->getSyntacticForm() : n;
    return make(Kind::InitList, e, "", {list->inits().begin(), list->inits().end()});
  }
  if (const auto* n = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e)) {
    if (n->getKind() != clang::UETT_SizeOf) return nullptr;
    if (!n->isArgumentType()) return make(Kind::SizeOf, e, "", {n->getArgumentExpr()});
    auto node = made(Kind::SizeOf);
    node->type = type(n->getArgumentType());
    return node;
  }
  if (const auto* n = llvm::dyn_cast<clang::AsTypeExpr>(e)) {
    const auto name = clang::Lexer::getImmediateMacroName(n->getBeginLoc(), sources_, context_.getLangOpts());
    return name.starts_with("as_") ? make(Kind::Call, e, name.str(), {n->getSrcExpr()->IgnoreParens()}) : nullptr;
  }
  return literal(e);
}

Made Lift::literal(const clang::Expr* e) const {
  const bool known = llvm::isa<clang::IntegerLiteral>(e) || llvm::isa<clang::FloatingLiteral>(e) ||
                     llvm::isa<clang::CharacterLiteral>(e) || llvm::isa<clang::CXXBoolLiteralExpr>(e);
  const auto* text = llvm::dyn_cast<clang::StringLiteral>(e);
  if (!known && text == nullptr) return nullptr;
  if (text != nullptr && text->getNumConcatenated() != 1) return nullptr;
  const auto at = sources_.getSpellingLoc(e->getBeginLoc());
  const auto length = clang::Lexer::MeasureTokenLength(at, sources_, context_.getLangOpts());
  return make(Kind::Literal, e, std::string(sources_.getCharacterData(at), length), {});
}

Made Lift::binary(const clang::BinaryOperator* e) const {
  if (e->isPtrMemOp() || e->getOpcode() == clang::BO_Cmp) return nullptr;
  const auto kind = e->isAssignmentOp() ? Kind::Assign : Kind::Binary;
  auto node = make(kind, e, e->getOpcodeStr().str(), {e->getLHS(), e->getRHS()});
  if (!node || text_->dialect == ir::Dialect::OpenCL) return node;
  own(node, span(e->getSourceRange()));
  if (!covered(*node)) return nullptr;
  normalise_thread_index(*node);
  return node;
}

/// Of a user's struct or of float4 in CUDA: `a = b`, `a + b` with operators that are functions.
Made Lift::overloaded(const clang::CXXOperatorCallExpr* e) const {
  if (e->getNumArgs() != 2 || !e->isInfixBinaryOp()) return nullptr;
  const std::string op = clang::getOperatorSpelling(e->getOperator());
  const bool assigns = e->isAssignmentOp();
  return make(assigns ? Kind::Assign : Kind::Binary, e, op, {e->getArg(0), e->getArg(1)});
}

Made Lift::call(const clang::CallExpr* e) const {
  const auto* callee = e->getDirectCallee();
  if (callee == nullptr || llvm::isa<clang::CXXMemberCallExpr>(e)) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e->getCallee()->IgnoreParenImpCasts());
  if (reference == nullptr || reference->hasQualifier() || reference->hasExplicitTemplateArgs()) return nullptr;
  const auto name = callee->getNameAsString();
  const std::vector<const clang::Expr*> arguments(e->arg_begin(), e->arg_end());
  for (const auto* argument : arguments)
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) return nullptr;
  if (text_->dialect == ir::Dialect::OpenCL) {
    const auto index = opencl_index(name);
    const auto* which =
        arguments.size() == 1 ? llvm::dyn_cast<clang::IntegerLiteral>(written(arguments[0])->IgnoreParens()) : nullptr;
    if (index && which != nullptr && which->getValue().ult(3)) {
      auto node = make(Kind::ThreadIndex, e, ir::thread_name(*index), {});
      node->dimension = static_cast<int>(which->getValue().getZExtValue());
      return node;
    }
  } else if (from_header(callee) && is_wide_literal(e, name, type(e->getType()))) {
    return make(Kind::VectorLiteral, e, "", arguments);
  }
  auto node = make(Kind::Call, e, name, {});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* implied = llvm::dyn_cast<clang::ImplicitCastExpr>(arguments[i]);
    const bool sampler = implied != nullptr && implied->getCastKind() == clang::CK_IntToOCLSampler;
    auto lifted = sampler ? named_argument(e, i) : expression(arguments[i]);
    if (!lifted) return nullptr;
    node->children.push_back(std::move(lifted));
  }
  return node;
}

/// Clang puts the value of a constant sampler in the place of its name; the name is taken from the tokens.
Made Lift::named_argument(const clang::CallExpr* e, std::size_t index) const {
  const auto where = span(e->getSourceRange());
  if (!where) return nullptr;
  const auto [first, last] = tokens_.inside(*where);
  int depth = 0;
  std::size_t seen = 0;
  for (auto i = first; i + 1 < last; ++i) {
    const auto t = tokens_.tokens[i].text;
    depth += t == "(" || t == "[" ? 1 : t == ")" || t == "]" ? -1 : 0;
    if (depth == 1 && t == ",") ++seen;
    if (depth != 1 || seen != index || (t != "," && t != "(")) continue;
    const auto& name = tokens_.tokens[i + 1];
    const auto after = i + 2 < last ? tokens_.tokens[i + 2].text : std::string_view();
    if (name.kind != TokenKind::Identifier || (after != "," && after != ")")) return nullptr;
    auto node = made(Kind::Name, std::string(name.text));
    node->type = ir::named_type(ir::Scalar::Opaque, "sampler_t");
    own(node, name.span);
    return node;
  }
  return nullptr;
}

Made Lift::member(const clang::MemberExpr* e) const {
  if (!llvm::isa<clang::FieldDecl>(e->getMemberDecl()) || e->hasQualifier() || e->isImplicitAccess()) return nullptr;
  const auto field = e->getMemberDecl()->getNameAsString();
  const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(written(e->getBase())->IgnoreParens());
  if (base != nullptr && text_->dialect != ir::Dialect::OpenCL && from_header(base->getDecl())) {
    const auto index = cuda_index(base->getDecl()->getName());
    if (index && field.size() == 1 && field[0] >= 'x' && field[0] <= 'z') return lifted_index(*index, field[0] - 'x');
  }
  return e->isArrow() ? through_pointer(e, e->getBase(), field) : make(Kind::Member, e, field, {e->getBase()});
}

/// p->x is the member of *p, which has no bytes of its own.
Made Lift::through_pointer(const clang::Expr* e, const clang::Expr* base, const std::string& field) const {
  auto pointer = expression(base);
  if (!pointer) return nullptr;
  auto target = made(Kind::Unary, "*");
  target->type = ir::element_of(pointer->type);
  target->children = {pointer};
  auto node = made(Kind::Member, field);
  node->type = type(e->getType());
  node->children = {target};
  return node;
}

/// (float4)(a, b, c, d)
Made Lift::compound_literal(const clang::CompoundLiteralExpr* e) const {
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(e->getInitializer()->IgnoreParens());
  if (list == nullptr || !e->getType()->isExtVectorType()) return nullptr;
  if (list->isSemanticForm() && list->getSyntacticForm() != nullptr) list = list->getSyntacticForm();
  const auto at = sources_.getSpellingLoc(list->getLBraceLoc());
  if (at.isInvalid() || *sources_.getCharacterData(at) != '(') return nullptr;
  auto node = make(Kind::VectorLiteral, e, "", {list->inits().begin(), list->inits().end()});
  if (node) node->type = type(e->getTypeSourceInfo()->getType());
  return node;
}

Made Lift::explicit_cast(const clang::ExplicitCastExpr* e) const {
  const auto* operand = e->getSubExpr();
  const auto target = type(e->getTypeAsWritten());
  if (llvm::isa<clang::BuiltinBitCastExpr>(e) || target.scalar == ir::Scalar::Unknown) return nullptr;
  const bool widens =
      target.is_vector() && written(operand)->getType()->isScalarType() && text_->dialect == ir::Dialect::OpenCL;
  auto node = make(widens ? Kind::VectorLiteral : Kind::Cast, e, "", {operand});
  if (node) node->type = target;
  return node;
}

}  // namespace hone::source
