// The unit: functions and file-level variables are lifted, everything else is kept as written.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "source/lift_effects.hpp"
#include "source/lift_state.hpp"

namespace hone::source {
namespace {

using ir::Kind;

/// Macros inside the arguments of another belong to it.
std::vector<Invocation> outermost(std::vector<Invocation> all) {
  std::vector<Invocation> out;
  for (auto& m : all)
    if (out.empty() || !out.back().span.contains(m.span)) out.push_back(std::move(m));
  return out;
}

bool on_device(const clang::FunctionDecl* f, ir::Dialect dialect) {
  return dialect == ir::Dialect::OpenCL || f->hasAttr<clang::CUDAGlobalAttr>() || f->hasAttr<clang::CUDADeviceAttr>();
}

bool is_kernel(const clang::FunctionDecl* f) {
  return f->hasAttr<clang::OpenCLKernelAttr>() || f->hasAttr<clang::CUDAGlobalAttr>();
}

}  // namespace

Lift::Lift(const Parsed& parsed, std::shared_ptr<const ir::SourceText> text)
    : parsed_(parsed),
      context_(parsed.context),
      sources_(parsed.context.getSourceManager()),
      text_(std::move(text)),
      tokens_(tokenize(text_->text)),
      invocations_(outermost(parsed.invocations)) {
  hide(tokens_, parsed.inactive);
  std::erase_if(invocations_, [&](const Invocation& m) {
    return llvm::any_of(tokens_.directives, [&](const Span& d) { return d.contains(m.span); });
  });
}

/// Clang's ranges leave out what stands before the type: __kernel, attributes, storage words.
Span Lift::with_front(Span where) const {
  auto first = tokens_.first_from(where.begin);
  while (first > 0) {
    const auto& before = tokens_.tokens[first - 1];
    const Span gap = {before.span.begin, where.begin};
    const bool line = llvm::any_of(tokens_.directives, [&](const Span& d) { return gap.contains(d); });
    if (line || before.text == ";" || before.text == "}" || before.text == "{") break;
    where.begin = before.span.begin;
    --first;
  }
  return where;
}

Made Lift::piece(const Span& where) const {
  auto node = made(Kind::TopLevel, text_->text.substr(where.begin, where.end - where.begin));
  const auto [first, last] = tokens_.inside(where);
  ir::Effects effects;
  for (auto i = first; i < last; ++i) {
    const auto& t = tokens_.tokens[i];
    const auto next = i + 1 < last ? tokens_.tokens[i + 1].text : std::string_view();
    const bool names = next == ";" || next == "{" || next == "(" || next == "," || next == "=" || next == "[";
    if (t.kind == TokenKind::Identifier && names) effects.declares.emplace_back(t.text);
  }
  node->effects = std::make_shared<const ir::Effects>(std::move(effects));
  own(node, where);
  return node;
}

/// Words and attributes of a function's head that are not its type.
std::vector<std::string> Lift::head_words(const clang::FunctionDecl* f, const Span& head) const {
  static const std::set<std::string_view> of_types = {"const",    "volatile",   "__global", "global",    "__local",
                                                      "local",    "__constant", "constant", "__private", "private",
                                                      "unsigned", "signed",     "struct"};
  std::vector<std::string> out;
  const auto name = tokens_.first_from(place(f->getLocation()));
  const auto result = span(f->getReturnTypeSourceRange());
  std::vector<Span> parameters;
  for (const auto* p : f->parameters())
    if (const auto where = span(p->getSourceRange())) parameters.push_back(*where);
  const auto [first, last] = tokens_.inside(head);
  for (auto i = first; i < last; ++i) {
    const auto& t = tokens_.tokens[i];
    if (i == name) {  // skip the parameter list
      int depth = 0;
      for (++i; i < last; ++i) {
        depth += tokens_.tokens[i].text == "(" ? 1 : tokens_.tokens[i].text == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      continue;
    }
    if (result && result->contains(t.span)) continue;
    if (of_types.contains(t.text) || t.text == ";") continue;
    if (t.text == "__kernel" || t.text == "kernel" || t.text == "__global__") continue;
    Span word = t.span;
    if (i + 1 < last && tokens_.tokens[i + 1].text == "(" && i + 1 != name) {
      int depth = 0;
      for (++i; i < last; ++i) {
        depth += tokens_.tokens[i].text == "(" ? 1 : tokens_.tokens[i].text == ")" ? -1 : 0;
        word.end = tokens_.tokens[i].span.end;
        if (depth == 0) break;
      }
    } else if (t.text == "extern" && i + 1 < last && tokens_.tokens[i + 1].kind == TokenKind::Text) {
      word.end = tokens_.tokens[++i].span.end;
    }
    out.push_back(text_->text.substr(word.begin, word.end - word.begin));
  }
  if (is_kernel(f)) out.insert(out.begin(), "kernel");
  return out;
}

Made Lift::parameter(const clang::ParmVarDecl* p, bool of_kernel) const {
  if (p->hasDefaultArg()) return nullptr;
  auto node = made(Kind::Parameter, p->getNameAsString());
  node->type = type(p->getType());
  if (of_kernel && node->type.is_pointer() && node->type.pointee->space == ir::AddressSpace::Generic)
    node->type = [&] {
      auto outer = node->type;
      outer.pointee = std::make_shared<const ir::Type>(ir::in_space(*outer.pointee, ir::AddressSpace::Global));
      return outer;
    }();
  auto where = span(p->getSourceRange());
  if (where) {  // Clang's range may leave out address spaces and access qualifiers in front
    auto first = tokens_.first_from(where->begin);
    while (first > 0 && tokens_.tokens[first - 1].text != "(" && tokens_.tokens[first - 1].text != ",") --first;
    where->begin = tokens_.tokens[first].span.begin;
  }
  own(node, where);
  return node;
}

Made Lift::function(const clang::FunctionDecl* f) const {
  if (f->isInvalidDecl() || f->isVariadic() || f->isTemplateInstantiation() || llvm::isa<clang::CXXMethodDecl>(f))
    return nullptr;
  if (!f->getLocation().isFileID() || !on_device(f, text_->dialect)) return nullptr;
  const bool defined = f->doesThisDeclarationHaveABody();
  auto where = defined ? span(f->getSourceRange()) : ended(f->getSourceRange());
  if (!where) return nullptr;
  *where = with_front(*where);
  auto node = made(Kind::Function, f->getNameAsString());
  node->type = type(f->getReturnType());
  for (const auto* p : f->parameters()) {
    auto lifted = parameter(p, is_kernel(f));
    if (!lifted) return nullptr;
    node->children.push_back(lifted);
  }
  Span head = *where;
  if (defined) {
    auto body = single(f->getBody());
    if (!body || !body->origin.owns()) return nullptr;
    head.end = body->origin.begin;
    if (body->kind == Kind::Verbatim) {  // keep what is known of the function; its inside is opaque
      const auto [first, last] = tokens_.inside(span_of(*body));
      auto inner = made(Kind::Block);
      if (last - first > 2)
        inner->children = {verbatim({tokens_.tokens[first + 1].span.begin, tokens_.tokens[last - 2].span.end})};
      own(inner, span_of(*body));
      body = inner;
    }
    node->children.push_back(body);
  }
  if (has_error(head, {})) return nullptr;
  node->qualifiers = head_words(f, head);
  own(node, where);
  return covered(*node) ? node : nullptr;
}

void Lift::top_level(const clang::Decl* d, std::vector<Made>& out) const {
  if (d->isImplicit() || !in_main(d->getLocation()) || d->getBeginLoc().isInvalid()) return;
  if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(d)) {
    for (const auto* inner : linkage->decls()) top_level(inner, out);
    return;
  }
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(d)) {
    for (const auto* inner : space->decls()) top_level(inner, out);
    return;
  }
  if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(d))
    if (auto node = function(f)) {
      out.push_back(node);
      return;
    }
  if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d)) {
    const auto where =
        ended(v->getSourceRange());  // several declarators in one statement do not end there: kept as written
    const bool device = text_->dialect == ir::Dialect::OpenCL || v->hasAttr<clang::CUDAConstantAttr>() ||
                        v->hasAttr<clang::CUDADeviceAttr>();
    const auto front = where ? with_front(*where) : Span{};
    const bool shares = !out.empty() && where && front.overlaps(span_of(*out.back()));
    auto node = where && device && !shares && !has_error(front, {}) ? declare({v}, front) : nullptr;
    if (node && covered(*node)) {
      out.push_back(node);
      return;
    }
  }
  auto where = span(d->getSourceRange());
  if (!where) return;
  *where = with_front(*where);
  const auto next = tokens_.first_from(where->end);
  if (next < tokens_.tokens.size() && tokens_.tokens[next].text == ";") where->end = tokens_.tokens[next].span.end;
  if (!out.empty() && out.back()->origin.owns() && span_of(*out.back()).overlaps(*where)) {
    if (span_of(*out.back()).contains(*where)) return;
    where->begin = std::min(where->begin, out.back()->origin.begin);
    out.pop_back();
  }
  out.push_back(piece(*where));
}

ir::NodePtr Lift::unit() {
  std::vector<Made> children;
  for (const auto* d : context_.getTranslationUnitDecl()->decls()) top_level(d, children);
  const auto taken = [&](const Span& what) {
    return llvm::any_of(children, [&](const Made& c) { return span_of(*c).overlaps(what); });
  };
  std::vector<Made> between;
  for (const auto& line : tokens_.directives) {
    if (taken(line)) continue;
    auto node = made(Kind::Directive, text_->text.substr(line.begin, line.end - line.begin));
    own(node, line);
    between.push_back(node);
  }
  const auto of_nobody = [&](std::size_t i) { return !taken(tokens_.tokens[i].span); };
  for (std::size_t i = 0; i < tokens_.tokens.size(); ++i) {
    if (!of_nobody(i)) continue;
    auto end = i + 1;
    const auto crosses = [&](std::size_t to) {
      const Span gap = {tokens_.tokens[i].span.begin, tokens_.tokens[to].span.end};
      return llvm::any_of(tokens_.directives, [&](const Span& d) { return gap.contains(d); });
    };
    while (end < tokens_.tokens.size() && of_nobody(end) && !crosses(end)) ++end;
    between.push_back(piece({tokens_.tokens[i].span.begin, tokens_.tokens[end - 1].span.end}));
    i = end - 1;
  }
  children.insert(children.end(), between.begin(), between.end());
  std::stable_sort(children.begin(), children.end(),
                   [](const Made& a, const Made& b) { return a->origin.begin < b->origin.begin; });
  auto root = made(Kind::Unit);
  root->children.assign(children.begin(), children.end());
  own(root, Span{0, text_->text.size()});
  return root;
}

}  // namespace hone::source
