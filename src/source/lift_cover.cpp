// Where a node's bytes are, and whether its tree accounts for each of their tokens. Clang drops what it cannot type
// without a trace; the tokens it dropped are found here.
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>

#include "source/lift_state.hpp"

namespace hone::source {
namespace {

using ir::Kind;
using ir::Node;

/// The outermost owned ranges below a node.
void inner_spans(const Node& node, std::vector<Span>& out) {
  for (const auto& child : node.children) {
    if (child->origin.owns())
      out.push_back(span_of(*child));
    else
      inner_spans(*child, out);
  }
}

/// The words a node of this kind writes itself, around its children; nothing when its kind writes many things (types).
std::optional<std::vector<std::string>> expected(const Node& node) {
  using Words = std::vector<std::string>;
  const auto commas = [&](Words words) {
    for (std::size_t i = 1; i < node.children.size(); ++i) words.emplace_back(",");
    return words;
  };
  switch (node.kind) {
    case Kind::Block: return Words{"{", "}"};
    case Kind::For: {
      Words words = {"for", "(", ";", ")"};
      if (node.children[0]->kind == Kind::Empty) words.emplace_back(";");
      return words;
    }
    case Kind::If: return node.children.size() > 2 ? Words{"if", "(", ")", "else"} : Words{"if", "(", ")"};
    case Kind::While: return Words{"while", "(", ")"};
    case Kind::Switch: return Words{"switch", "(", ")"};
    case Kind::DoWhile: return Words{"do", "while", "(", ")", ";"};
    case Kind::Return: return Words{"return", ";"};
    case Kind::Break: return Words{"break", ";"};
    case Kind::Continue: return Words{"continue", ";"};
    case Kind::ExpressionStatement:
    case Kind::Empty: return Words{";"};
    case Kind::Binary:
    case Kind::Assign: return Words{node.text};
    case Kind::Unary: return Words{node.text.starts_with("post") ? node.text.substr(4) : node.text};
    case Kind::Select: return Words{"?", ":"};
    case Kind::Index: return Words{"[", "]"};
    case Kind::Name: return Words{node.text};
    case Kind::Call: return commas({node.text, "(", ")"});
    case Kind::InitList: return commas({"{", "}"});
    case Kind::Member: {
      const auto& base = *node.children[0];
      const bool arrow = base.kind == Kind::Unary && base.text == "*" && !base.origin.owns();
      return Words{arrow ? "->" : ".", node.text};
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool Lift::in_main(clang::SourceLocation at) const {
  return at.isValid() && sources_.isInMainFile(sources_.getExpansionLoc(at));
}

std::size_t Lift::place(clang::SourceLocation at) const {
  return sources_.getDecomposedLoc(sources_.getExpansionLoc(at)).second;
}

/// The token after this one in the same macro body; nothing at its end or in an argument.
std::optional<clang::Token> Lift::next_in_macro(clang::SourceLocation& at) const {
  const auto written = sources_.getSpellingLoc(at);
  const auto next = clang::Lexer::findNextToken(written, sources_, context_.getLangOpts());
  if (!next) return std::nullopt;
  const auto distance = next->getLocation().getRawEncoding() - written.getRawEncoding();
  const auto there = at.getLocWithOffset(static_cast<int>(distance));
  if (sources_.getFileID(there) != sources_.getFileID(at)) return std::nullopt;
  at = there;
  return next;
}

/// The bytes of a range of tokens: written in the file, or whole macro invocations. Nothing when it begins or ends
/// inside one. Clang's range of (float4)(x) ends at x; parentheses left open are closed here.
std::optional<Span> Lift::span(clang::SourceRange range) const {
  auto begin = range.getBegin();
  auto end = range.getEnd();
  if (begin.isInvalid() || end.isInvalid()) return std::nullopt;
  const auto& language = context_.getLangOpts();
  if (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(begin, sources_, language, &begin))
    return std::nullopt;
  while (end.isMacroID()) {
    if (clang::Lexer::isAtEndOfMacroExpansion(end, sources_, language, &end)) break;
    const auto next = next_in_macro(end);
    if (!next || next->isNot(clang::tok::r_paren)) return std::nullopt;
  }
  if (!sources_.isInMainFile(begin) || !sources_.isInMainFile(end)) return std::nullopt;
  Span out = {place(begin), place(end) + clang::Lexer::MeasureTokenLength(end, sources_, language)};
  if (out.begin >= out.end) return std::nullopt;
  const auto [first, last] = tokens_.inside(out);
  int open = 0;
  for (auto i = first; i < last; ++i)
    open += tokens_.tokens[i].text == "(" ? 1 : tokens_.tokens[i].text == ")" ? -1 : 0;
  for (auto i = last; open > 0 && i < tokens_.tokens.size() && tokens_.tokens[i].text == ")"; ++i, --open)
    out.end = tokens_.tokens[i].span.end;
  return out;
}

/// A simple statement: its range and the semicolon after it.
std::optional<Span> Lift::ended(clang::SourceRange range) const {
  if (auto where = span(range)) {
    const auto next = tokens_.first_from(where->end);
    if (next >= tokens_.tokens.size() || tokens_.tokens[next].text != ";") return std::nullopt;
    where->end = tokens_.tokens[next].span.end;
    return where;
  }
  auto end = range.getEnd();
  if (!end.isMacroID()) return std::nullopt;
  const auto next = next_in_macro(end);
  if (!next || next->isNot(clang::tok::semi)) return std::nullopt;
  return span({range.getBegin(), end});
}

/// All bytes of a statement, with what hangs under it.
std::optional<Span> Lift::whole(const clang::Stmt* s) const {
  const auto upto = [&](const clang::Stmt* last) -> std::optional<Span> {
    const auto end = whole(last);
    const auto range = s->getSourceRange();
    auto begin = range.getBegin();
    if (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(begin, sources_, context_.getLangOpts(), &begin))
      return std::nullopt;
    if (!end || !sources_.isInMainFile(begin)) return std::nullopt;
    return Span{place(begin), end->end};
  };
  if (const auto* n = llvm::dyn_cast<clang::IfStmt>(s))
    return upto(n->getElse() != nullptr ? n->getElse() : n->getThen());
  if (const auto* n = llvm::dyn_cast<clang::ForStmt>(s)) return upto(n->getBody());
  if (const auto* n = llvm::dyn_cast<clang::WhileStmt>(s)) return upto(n->getBody());
  if (const auto* n = llvm::dyn_cast<clang::SwitchStmt>(s)) return upto(n->getBody());
  if (const auto* n = llvm::dyn_cast<clang::SwitchCase>(s)) return upto(n->getSubStmt());
  if (const auto* n = llvm::dyn_cast<clang::LabelStmt>(s)) return upto(n->getSubStmt());
  if (const auto* n = llvm::dyn_cast<clang::AttributedStmt>(s)) {
    const auto inner = whole(n->getSubStmt());
    const auto outer = upto(n->getSubStmt());
    return outer && inner && outer->begin < inner->begin ? outer : inner;
  }
  if (llvm::isa<clang::CompoundStmt>(s) || llvm::isa<clang::NullStmt>(s) || llvm::isa<clang::DeclStmt>(s))
    return span(s->getSourceRange());
  return ended(s->getSourceRange());
}

void Lift::own(const Made& node, std::optional<Span> where) const {
  node->origin = where ? ir::OwnedBytes{text_, where->begin, where->end} : ir::OwnedBytes{};
}

bool Lift::has_error(const Span& where, const ir::Nodes& but_not_in) const {
  return std::any_of(parsed_.errors.begin(), parsed_.errors.end(), [&](const ParseError& error) {
    if (error.offset < where.begin || error.offset >= where.end) return false;
    return std::none_of(but_not_in.begin(), but_not_in.end(), [&](const ir::NodePtr& child) {
      return child->origin.owns() && span_of(*child).contains({error.offset, error.offset});
    });
  });
}

/// The object-like macro of a header of ours whose invocation is exactly this range.
const Invocation* Lift::header_macro(const Span& where) const {
  for (const auto& invocation : invocations_)
    if (invocation.from_header && invocation.span == where && where.end - where.begin == invocation.name.size())
      return &invocation;
  return nullptr;
}

/// A macro invocation among this node's own tokens: some of what it writes is hidden behind a name.
bool Lift::loose_macro(const Node& node, const std::vector<Span>& inner) const {
  return std::any_of(invocations_.begin(), invocations_.end(), [&](const Invocation& m) {
    return span_of(node).overlaps(m.span) &&
           std::none_of(inner.begin(), inner.end(), [&](const Span& s) { return s.contains(m.span); });
  });
}

bool Lift::covered(const Node& node) const {
  if (!node.origin.owns()) return true;
  std::vector<Span> inner;
  inner_spans(node, inner);
  const auto mine = span_of(node);
  const auto outside_children = [&](const Span& what) {
    return std::none_of(inner.begin(), inner.end(), [&](const Span& s) { return s.contains(what); });
  };
  for (const auto& s : inner)
    if (!mine.contains(s)) return false;
  for (const auto& line : tokens_.directives)
    if (mine.overlaps(line) && outside_children(line)) return false;
  auto words = expected(node);
  if (!words || loose_macro(node, inner)) return true;
  std::vector<std::string> left;
  const auto [first, last] = tokens_.inside(mine);
  for (auto i = first; i < last; ++i)
    if (outside_children(tokens_.tokens[i].span)) left.emplace_back(tokens_.tokens[i].text);
  while (ir::is_expression(node) && left.size() > words->size() && left.front() == "(" && left.back() == ")") {
    left.pop_back();
    left.erase(left.begin());
  }
  std::sort(left.begin(), left.end());
  std::sort(words->begin(), words->end());
  return left == *words;
}

}  // namespace hone::source
