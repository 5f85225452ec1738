#include <clang/AST/DeclTemplate.h>

#include "source/host/lower.hpp"

namespace hone::host {
namespace {

std::string callee_name(const clang::FunctionDecl* function) {
  auto name = function->getQualifiedNameAsString();
  for (const auto* inlined : {"std::__cxx11::", "std::__1::"}) {
    if (name.starts_with(inlined)) name = "std::" + name.substr(std::string(inlined).size());
  }
  return name;
}

}  // namespace

Node Lowering::unresolved_call(const clang::CallExpr* e) {
  const auto* callee = e->getCallee()->IgnoreParenImpCasts();
  Node what = expression(callee);
  std::vector<Node> arguments;
  for (const auto* argument : e->arguments()) arguments.push_back(expression(argument));
  if (what.kind == Kind::FunctionName) {
    Node out = make(Kind::Call, e, what.text, std::move(arguments));
    out.function = what.function;
    return out;
  }
  if (what.kind == Kind::Member &&
      (llvm::isa<clang::CXXDependentScopeMemberExpr>(callee) || llvm::isa<clang::UnresolvedMemberExpr>(callee) ||
       llvm::isa<clang::MemberExpr>(callee))) {
    arguments.insert(arguments.begin(), std::move(what.parts[0]));
    return make(Kind::MethodCall, e, what.text, std::move(arguments));
  }
  arguments.insert(arguments.begin(), std::move(what));
  return make(Kind::CallValue, e, {}, std::move(arguments));
}

Node Lowering::call(const clang::CallExpr* e) {
  using namespace clang;
  if (const auto* launch = dyn_cast<CUDAKernelCallExpr>(e)) {
    Node out = make(Kind::Launch, e);
    const auto* config = launch->getConfig();
    for (unsigned i = 0; i < 4; ++i)
      out.parts.push_back(config != nullptr && i < config->getNumArgs() ? expression(config->getArg(i)) : Node{});
    out.parts.push_back(expression(e->getCallee()));
    for (const auto* argument : e->arguments()) out.parts.push_back(expression(argument));
    return out;
  }
  const auto* function = e->getDirectCallee();
  if (const auto* overloaded = dyn_cast<CXXOperatorCallExpr>(e)) {
    const std::string spelling = getOperatorSpelling(overloaded->getOperator());
    std::vector<Node> operands;
    for (const auto* argument : e->arguments()) operands.push_back(expression(argument));
    Node out = make(Kind::Operator, e, spelling, std::move(operands));
    // What the compiler writes itself copies the whole object: nothing to be followed member by member.
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
    const bool copies = method != nullptr &&
                        (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
                        !method->isUserProvided();
    if (function != nullptr && !copies) out.function = function_id(function);
    return out;
  }
  if (function == nullptr) return unresolved_call(e);
  if (const auto* method = dyn_cast<CXXMemberCallExpr>(e)) {
    std::vector<Node> parts;
    const auto* object = method->getImplicitObjectArgument();
    Node of = object != nullptr ? expression(object) : Node{};
    const auto* member = dyn_cast<MemberExpr>(e->getCallee()->IgnoreParens());
    if (object != nullptr && member != nullptr && member->isArrow())
      of = make(Kind::Deref, object, {}, {std::move(of)});
    parts.push_back(std::move(of));
    for (const auto* argument : e->arguments()) parts.push_back(expression(argument));
    Node out = make(Kind::MethodCall, e, function->getNameAsString(), std::move(parts));
    out.function = function_id(function);
    if (isa<CXXConversionDecl>(function)) out.text = "operator";
    return out;
  }
  std::vector<Node> arguments;
  for (const auto* argument : e->arguments()) arguments.push_back(expression(argument));
  Node out = make(Kind::Call, e, callee_name(function), std::move(arguments));
  out.function = function_id(function);
  if (function->isConstexpr() && !in_application(function->getLocation())) return constant(e, out);
  return out;
}

}  // namespace hone::host
