// Statements. Each one stands alone: what is not understood becomes Verbatim with all that hangs under it, its
// neighbours are lifted as ever.
#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

#include "source/lift_effects.hpp"
#include "source/lift_state.hpp"

namespace hone::source {
namespace {

using ir::Kind;

bool is_simple(Kind kind) {
  return kind == Kind::Declare || kind == Kind::ExpressionStatement || kind == Kind::Return || kind == Kind::Barrier;
}

/// The bits of cl_mem_fence_flags.
std::string fences(std::uint64_t flags) {
  if (flags == 3) return "local|global";
  return flags == 1 ? "local" : flags == 2 ? "global" : "";
}

bool by_pragma(const clang::AttributedStmt* s) {
  return llvm::all_of(s->getAttrs(),
                      [](const clang::Attr* a) { return a->getSyntax() == clang::AttributeCommonInfo::AS_Pragma; });
}

}  // namespace

Made Lift::verbatim(const Span& where) const {
  auto node = made(Kind::Verbatim, text_->text.substr(where.begin, where.end - where.begin));
  const auto [first, last] = tokens_.inside(where);
  auto effects = effects_of(tokens_, first, last);
  const bool lines = llvm::any_of(tokens_.directives, [&](const Span& d) { return where.contains(d); });
  const bool hides =
      llvm::any_of(invocations_, [&](const Invocation& m) { return !m.from_header && where.contains(m.span); });
  effects.unknown = effects.unknown || lines || hides || has_error(where, {});
  node->effects = std::make_shared<const ir::Effects>(std::move(effects));
  own(node, where);
  return node;
}

/// One or several statements (a case label and what follows it); null at the end of `out` when not even its place is
/// known.
void Lift::statement(const clang::Stmt* s, std::vector<Made>& out) const {
  const auto* label = llvm::dyn_cast<clang::SwitchCase>(s);
  if (label == nullptr) {
    out.push_back(single(s));
    return;
  }
  auto node = made(llvm::isa<clang::CaseStmt>(s) ? Kind::Case : Kind::Default);
  if (const auto* c = llvm::dyn_cast<clang::CaseStmt>(s)) {
    auto value = c->getRHS() == nullptr ? expression(c->getLHS()) : nullptr;
    if (!value) {
      const auto where = whole(s);
      out.push_back(where ? verbatim(*where) : nullptr);
      return;
    }
    node->children = {value};
  }
  own(node, span({label->getKeywordLoc(), label->getColonLoc()}));
  out.push_back(node);
  statement(label->getSubStmt(), out);
}

/// One statement, understood or Verbatim; null when it has no bytes of its own and was not understood.
Made Lift::single(const clang::Stmt* s) const {
  auto node = understood(s);
  if (node && covered(*node)) {
    if (!node->origin.owns()) return node;
    const ir::Nodes excused = is_simple(node->kind) ? ir::Nodes{} : node->children;
    if (node->kind == Kind::Block || !has_error(span_of(*node), excused)) return node;
  }
  const auto where = whole(s);
  return where ? verbatim(*where) : nullptr;
}

Made Lift::understood(const clang::Stmt* s) const {
  const auto with = [&](Kind kind, const std::vector<Made>& children) -> Made {
    auto node = made(kind);
    for (const auto& child : children) {
      if (!child) return nullptr;
      node->children.push_back(child);
    }
    own(node, whole(s));
    return node;
  };
  if (const auto* n = llvm::dyn_cast<clang::CompoundStmt>(s)) return block(n);
  if (const auto* n = llvm::dyn_cast<clang::ForStmt>(s)) return loop(n);
  if (const auto* n = llvm::dyn_cast<clang::IfStmt>(s)) {
    if (n->getInit() != nullptr || n->getConditionVariable() != nullptr || n->isConstexpr()) return nullptr;
    std::vector<Made> parts = {expression(n->getCond()), single(n->getThen())};
    if (n->getElse() != nullptr) parts.push_back(single(n->getElse()));
    return with(Kind::If, parts);
  }
  if (const auto* n = llvm::dyn_cast<clang::WhileStmt>(s))
    return n->getConditionVariable() != nullptr ? nullptr
                                                : with(Kind::While, {expression(n->getCond()), single(n->getBody())});
  if (const auto* n = llvm::dyn_cast<clang::DoStmt>(s))
    return with(Kind::DoWhile, {single(n->getBody()), expression(n->getCond())});
  if (const auto* n = llvm::dyn_cast<clang::SwitchStmt>(s)) {
    if (n->getInit() != nullptr || n->getConditionVariable() != nullptr ||
        !llvm::isa<clang::CompoundStmt>(n->getBody()))
      return nullptr;
    return with(Kind::Switch, {expression(n->getCond()), single(n->getBody())});
  }
  if (const auto* n = llvm::dyn_cast<clang::ReturnStmt>(s))
    return n->getRetValue() == nullptr ? with(Kind::Return, {}) : with(Kind::Return, {expression(n->getRetValue())});
  if (llvm::isa<clang::BreakStmt>(s)) return with(Kind::Break, {});
  if (llvm::isa<clang::ContinueStmt>(s)) return with(Kind::Continue, {});
  if (llvm::isa<clang::NullStmt>(s)) return with(Kind::Empty, {});
  if (const auto* n = llvm::dyn_cast<clang::AttributedStmt>(s)) {
    auto inner = single(n->getSubStmt());
    if (!inner || inner->kind == Kind::Verbatim || by_pragma(n)) return inner;
    const auto where = whole(s);
    if (!where || !inner->origin.owns() || (inner->kind != Kind::For && inner->kind != Kind::While)) return nullptr;
    const auto last = tokens_.tokens[tokens_.first_from(inner->origin.begin) - 1].span.end;
    inner->qualifiers.push_back(text_->text.substr(where->begin, last - where->begin));
    own(inner, where);
    return inner;
  }
  if (const auto* n = llvm::dyn_cast<clang::DeclStmt>(s)) {
    std::vector<const clang::VarDecl*> variables;
    for (const auto* d : n->decls()) {
      const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
      if (v == nullptr) return nullptr;
      variables.push_back(v);
    }
    return declare(variables, whole(s));
  }
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
    if (auto wait = barrier(e)) {
      own(wait, whole(s));
      return wait;
    }
    return with(Kind::ExpressionStatement, {expression(e)});
  }
  return nullptr;
}

Made Lift::loop(const clang::ForStmt* s) const {
  if (s->getConditionVariable() != nullptr) return nullptr;
  auto node = made(Kind::For);
  const auto part = [&](const clang::Expr* e) { return e == nullptr ? made(Kind::Empty) : expression(e); };
  auto init = s->getInit() == nullptr ? made(Kind::Empty) : single(s->getInit());
  auto body = single(s->getBody());
  auto condition = part(s->getCond());
  auto step = part(s->getInc());
  if (!init || init->kind == Kind::Verbatim || !condition || !step || !body) return nullptr;
  node->children = {init, condition, step, body};
  own(node, whole(s));
  return node;
}

Made Lift::barrier(const clang::Expr* e) const {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts());
  const auto* callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee == nullptr || !from_header(callee)) return nullptr;
  const auto name = callee->getNameAsString();
  if (name == "__syncthreads") return made(Kind::Barrier, "local|global");
  if ((name != "barrier" && name != "work_group_barrier") || call->getNumArgs() != 1) return nullptr;
  clang::Expr::EvalResult flags;
  if (!call->getArg(0)->EvaluateAsInt(flags, context_)) return nullptr;
  return made(Kind::Barrier, fences(flags.Val.getInt().getZExtValue()));
}

/// A variable owns its declarator: stars, name, extents and initial value; the type before them belongs to all.
Made Lift::variable(const clang::VarDecl* v) const {
  if (v->isInvalidDecl()) return nullptr;
  auto node = made(Kind::Variable, v->getNameAsString());
  node->type = type(v->getType());
  if (v->hasAttr<clang::CUDASharedAttr>())
    node->type.space = ir::AddressSpace::Local;
  else if (v->hasAttr<clang::CUDAConstantAttr>())
    node->type.space = ir::AddressSpace::Constant;
  else if (v->hasAttr<clang::CUDADeviceAttr>())
    node->qualifiers.emplace_back("__device__");
  if (v->hasAttr<clang::AlignedAttr>() || node->type.scalar == ir::Scalar::Unknown) return nullptr;
  const bool shared = v->hasAttr<clang::CUDASharedAttr>();  // Clang makes these static by itself
  if (v->getStorageClass() == clang::SC_Static && !shared) node->qualifiers.emplace_back("static");
  if (v->getStorageClass() == clang::SC_Extern) node->qualifiers.emplace_back("extern");
  if (v->isConstexpr()) node->qualifiers.emplace_back("constexpr");
  const auto* built = v->hasInit() ? llvm::dyn_cast<clang::CXXConstructExpr>(v->getInit()) : nullptr;
  if (v->hasInit() && !(built != nullptr && built->getNumArgs() == 0)) {
    if (v->getInitStyle() != clang::VarDecl::CInit) return nullptr;
    auto value = expression(v->getInit());
    if (!value) return nullptr;
    node->children = {value};
  }
  if (!v->getLocation().isFileID() || !in_main(v->getLocation())) return node;
  auto first = tokens_.first_from(place(v->getLocation()));
  const auto last = span({v->getLocation(), v->getSourceRange().getEnd()});
  static const std::set<std::string_view> between = {"*",     "(",       "restrict", "__restrict", "__restrict__",
                                                     "const", "volatile"};
  auto begin = first;
  for (auto i = first; i > 0 && between.contains(tokens_.tokens[i - 1].text); --i)
    if (tokens_.tokens[i - 1].text == "*" || tokens_.tokens[i - 1].text == "(") begin = i - 1;
  if (last) own(node, Span{tokens_.tokens[begin].span.begin, last->end});
  return node;
}

Made Lift::declare(const std::vector<const clang::VarDecl*>& variables, std::optional<Span> where) const {
  auto node = made(Kind::Declare);
  for (const auto* v : variables) {
    auto lifted = variable(v);
    if (!lifted) return nullptr;
    if (lifted->origin.owns()) {
      const auto [first, last] = tokens_.inside(span_of(*lifted));
      const bool assigns = std::any_of(tokens_.tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                       tokens_.tokens.begin() + static_cast<std::ptrdiff_t>(last),
                                       [](const Token& t) { return t.text == "="; });
      if (assigns == lifted->children.empty()) return nullptr;
    }
    node->children.push_back(lifted);
  }
  own(node, where);
  return node;
}

Made Lift::block(const clang::CompoundStmt* s) const {
  auto node = made(Kind::Block);
  own(node, span(s->getSourceRange()));
  std::vector<Made> children;
  std::vector<std::size_t> places;
  for (const auto* child : s->body()) {
    const auto before = children.size();
    statement(child, children);
    for (auto i = before; i < children.size(); ++i) {
      if (!children[i]) return nullptr;
      places.push_back(children[i]->origin.owns() ? children[i]->origin.begin : place(child->getBeginLoc()));
    }
  }
  const bool braces = s->getLBracLoc().isFileID() && s->getRBracLoc().isFileID() && node->origin.owns();
  if (braces && !interleave({node->origin.begin + 1, node->origin.end - 1}, children, places)) return nullptr;
  node->children.assign(children.begin(), children.end());
  return node;
}

/// Puts what Clang did not give between the statements it gave: directives, macro invocations that left nothing, and
/// tokens of statements it dropped. False when what is left over is not a sequence of whole statements.
bool Lift::interleave(const Span& inside, std::vector<Made>& children, const std::vector<std::size_t>& places) const {
  std::vector<std::pair<std::size_t, Made>> items;
  for (std::size_t i = 0; i < children.size(); ++i) items.emplace_back(places[i], children[i]);
  const auto taken = [&](const Span& what) {
    return std::any_of(items.begin(), items.end(), [&](const auto& item) {
      return item.second->origin.owns() && span_of(*item.second).overlaps(what);
    });
  };
  for (const auto& line : tokens_.directives) {
    if (!inside.contains(line) || taken(line)) continue;
    auto node = made(Kind::Directive, text_->text.substr(line.begin, line.end - line.begin));
    own(node, line);
    items.emplace_back(line.begin, node);
  }
  const auto with_semicolon = [&](Span where) {  // the last statement of an expansion may end after it
    const auto next = tokens_.first_from(where.end);
    if (next < tokens_.tokens.size() && tokens_.tokens[next].text == ";" && !taken(tokens_.tokens[next].span))
      where.end = tokens_.tokens[next].span.end;
    return where;
  };
  std::vector<Span> spoken_for;  // invocations whose statements are here without bytes of their own
  for (const auto& m : invocations_) {
    if (!inside.contains(m.span) || taken(m.span)) continue;
    const auto from = [&](const auto& item) {
      return !item.second->origin.owns() && m.span.begin <= item.first && item.first < m.span.end;
    };
    if (has_error(m.span, {})) std::erase_if(items, from);
    if (std::none_of(items.begin(), items.end(), from))
      items.emplace_back(m.span.begin, verbatim(m.span));
    else
      spoken_for.push_back(with_semicolon(m.span));
  }
  const auto [first, last] = tokens_.inside(inside);
  const auto loose = [&](std::size_t i) {
    const auto& where = tokens_.tokens[i].span;
    return !taken(where) &&
           std::none_of(spoken_for.begin(), spoken_for.end(), [&](const Span& s) { return s.contains(where); });
  };
  std::vector<Made> runs;
  for (auto i = first; i < last; ++i) {
    if (!loose(i)) continue;
    auto end = i;
    int depth = 0;
    const auto after_line = [&](std::size_t at) {  // a directive stands before this token
      const Span gap = {tokens_.tokens[at - 1].span.end, tokens_.tokens[at].span.begin};
      return llvm::any_of(tokens_.directives, [&](const Span& d) { return gap.contains(d); });
    };
    for (; end < last && loose(end) && (end == i || !after_line(end)); ++end) {
      const auto t = tokens_.tokens[end].text;
      if (t == "(" || t == "[" || t == "{") ++depth;
      if (t == ")" || t == "]" || t == "}") --depth;
      const bool stops = depth == 0 && (t == ";" || t == "}");
      if (stops &&
          !(end + 1 < last && (tokens_.tokens[end + 1].text == "else" || tokens_.tokens[end + 1].text == "while" ||
                               tokens_.tokens[end + 1].text == ";"))) {
        ++end;
        break;
      }
    }
    const Span where = {tokens_.tokens[i].span.begin, tokens_.tokens[end - 1].span.end};
    const bool crossed = llvm::any_of(
        items, [&](const auto& item) { return item.second->origin.owns() && where.overlaps(span_of(*item.second)); });
    if (!balanced(tokens_, i, end) || crossed) return false;
    runs.push_back(verbatim(where));
    i = end - 1;
  }
  for (const auto& run : runs) items.emplace_back(run->origin.begin, run);
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  children.clear();
  for (auto& item : items) children.push_back(std::move(item.second));
  return true;
}

}  // namespace hone::source
