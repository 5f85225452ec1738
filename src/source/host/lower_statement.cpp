#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "source/host/lower.hpp"

namespace hone::host {
namespace {

constexpr int deepest_statement = 300;

/// The gap with blanks in place of comments, so that every word keeps its place.
std::string written_in(llvm::StringRef text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    std::size_t length = 0;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const auto end = rest.find("*/", 2);
      length = end == llvm::StringRef::npos ? rest.size() : end + 2;
    }
    for (const char c : rest.substr(0, length)) out += c == '\n' ? '\n' : ' ';
    i += length;
    if (length == 0) out += text[i++];
  }
  return out;
}

bool has_words(const std::string& text) {
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) return true;
  }
  return false;
}

}  // namespace

Node Lowering::make(Kind kind, const clang::Stmt* from, std::string text, std::vector<Node> parts) {
  Node out;
  out.kind = kind;
  out.text = std::move(text);
  out.parts = std::move(parts);
  if (from != nullptr) out.place = place(from->getSourceRange());
  return out;
}

Node Lowering::opaque(clang::SourceRange range, std::string text) {
  Node out;
  out.kind = Kind::Opaque;
  out.place = place(range);
  out.text = text.empty() ? text_of(range) : std::move(text);
  return out;
}

/// Statements that Clang dropped leave nothing but a gap between their neighbours.
std::vector<Node> Lowering::between(clang::SourceLocation from, clang::SourceLocation to) {
  std::vector<Node> out;
  if (!from.isFileID() || !to.isFileID()) return out;
  const auto [file, begin] = sources_.getDecomposedLoc(from);
  const auto [other, end] = sources_.getDecomposedLoc(to);
  if (file != other || end <= begin || file_id(file) < 0) return out;
  const auto gap = sources_.getBufferData(file).substr(begin, end - begin);
  const auto text = written_in(gap);
  if (!has_words(text) || text.find('#') != std::string::npos) return out;  // a directive: what it skips is not code
  Node node = opaque({from, to}, text.substr(0, 20000));
  node.place.end = end;
  out.push_back(std::move(node));
  return out;
}

Node Lowering::block(const clang::CompoundStmt* block) {
  Node out = make(Kind::Block, block);
  const auto end_of = [&](const clang::Stmt* s) {
    const auto end = sources_.getExpansionRange(s->getEndLoc()).getEnd();
    return end.isValid() ? end.getLocWithOffset(clang::Lexer::MeasureTokenLength(end, sources_, context_.getLangOpts()))
                         : end;
  };
  auto last = block->getLBracLoc().isFileID() ? block->getLBracLoc().getLocWithOffset(1) : clang::SourceLocation();
  for (const auto* child : block->body()) {
    const auto begin = sources_.getExpansionLoc(child->getBeginLoc());
    if (last.isValid() && begin.isValid()) {
      for (auto& gap : between(last, begin)) out.parts.push_back(std::move(gap));
    }
    out.parts.push_back(statement(child));
    last = end_of(child);
  }
  if (last.isValid() && block->getRBracLoc().isFileID()) {
    for (auto& gap : between(last, block->getRBracLoc())) out.parts.push_back(std::move(gap));
  }
  return out;
}

Node Lowering::declare(const clang::VarDecl* variable) {
  Node out;
  out.kind = Kind::Declare;
  out.place = place(variable->getSourceRange());
  out.decl = decl_id(variable);
  out.type = unit_.decls[static_cast<std::size_t>(out.decl)].type;
  out.text = variable->getNameAsString();
  if (const auto* initial = variable->getAnyInitializer()) {
    out.parts.push_back(value(initial));
  } else if (const auto* variable_array = context_.getAsVariableArrayType(variable->getType())) {
    (void)variable_array;
  }
  return out;
}

Node Lowering::statement(const clang::Stmt* s) {
  if (s == nullptr) return {};
  if (++depth_ > deepest_statement) {
    --depth_;
    return opaque(s->getSourceRange(), "nested too deeply");
  }
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) return value(e);
  if (const auto* b = llvm::dyn_cast<clang::CompoundStmt>(s)) return block(b);
  if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
    std::vector<Node> all;
    for (const auto* decl : d->decls()) {
      const auto* decomposed = llvm::dyn_cast<clang::DecompositionDecl>(decl);
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl); variable != nullptr && decomposed == nullptr) {
        all.push_back(declare(variable));
      } else if (decomposed != nullptr) {
        all.push_back(declare(decomposed));
        for (const auto* binding : decomposed->bindings()) {
          Node one;
          one.kind = Kind::Declare;
          one.decl = decl_id(binding);
          one.text = binding->getNameAsString();
          if (binding->getBinding() != nullptr) one.parts.push_back(expression(binding->getBinding()));
          all.push_back(std::move(one));
        }
      }
    }
    // An initial value that makes no sense is dropped; its tokens are still there.
    const bool bare =
        std::ranges::all_of(all, [](const Node& one) { return one.parts.empty() && !one.place.in_macro; });
    const auto written = bare && !all.empty() ? text_of(d->getSourceRange()) : std::string();
    if (written.find_first_of("=(") != std::string::npos) all.push_back(opaque(d->getSourceRange(), written));
    if (all.size() == 1) return std::move(all[0]);
    return make(Kind::Comma, s, {}, std::move(all));
  }
  if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) {
    Node out = make(
        Kind::If, s, {},
        {i->getCond() != nullptr ? value(i->getCond()) : Node{}, statement(i->getThen()), statement(i->getElse())});
    std::vector<Node> before;
    if (i->getInit() != nullptr) before.push_back(statement(i->getInit()));
    if (i->getConditionVariable() != nullptr) before.push_back(declare(i->getConditionVariable()));
    if (before.empty()) return out;
    before.push_back(std::move(out));
    return make(Kind::Block, s, {}, std::move(before));
  }
  if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) {
    return make(Kind::For, s, {},
                {statement(f->getInit()), f->getCond() != nullptr ? value(f->getCond()) : Node{},
                 f->getInc() != nullptr ? value(f->getInc()) : Node{}, statement(f->getBody())});
  }
  if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s))
    return make(Kind::While, s, {}, {value(w->getCond()), statement(w->getBody())});
  if (const auto* d = llvm::dyn_cast<clang::DoStmt>(s))
    return make(Kind::Do, s, {}, {statement(d->getBody()), value(d->getCond())});
  if (const auto* r = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
    Node out = make(Kind::RangeFor, s, {},
                    {r->getRangeInit() != nullptr ? value(r->getRangeInit()) : Node{}, statement(r->getBody())});
    if (r->getLoopVariable() != nullptr) {
      out.decl = decl_id(r->getLoopVariable());
      out.type = type_id(r->getLoopVariable()->getType());
      out.text = r->getLoopVariable()->getNameAsString();
    }
    return out;
  }
  if (const auto* w = llvm::dyn_cast<clang::SwitchStmt>(s)) {
    Node out = make(Kind::Switch, s, {}, {value(w->getCond())});
    const auto add = [&](const clang::Stmt* child) {
      while (child != nullptr) {  // case 1: case 2: statement
        if (const auto* c = llvm::dyn_cast<clang::CaseStmt>(child)) {
          out.parts.push_back(make(Kind::Case, c, {}, {value(c->getLHS())}));
          child = c->getSubStmt();
        } else if (const auto* d = llvm::dyn_cast<clang::DefaultStmt>(child)) {
          out.parts.push_back(make(Kind::Default, d));
          child = d->getSubStmt();
        } else {
          out.parts.push_back(statement(child));
          child = nullptr;
        }
      }
    };
    if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(w->getBody())) {
      for (const auto* child : body->body()) add(child);
    } else {
      add(w->getBody());
    }
    return out;
  }
  if (const auto* r = llvm::dyn_cast<clang::ReturnStmt>(s)) {
    Node out = make(Kind::Return, s);
    if (r->getRetValue() != nullptr) out.parts.push_back(value(r->getRetValue()));
    return out;
  }
  if (llvm::isa<clang::BreakStmt>(s)) return make(Kind::Break, s);
  if (llvm::isa<clang::ContinueStmt>(s)) return make(Kind::Continue, s);
  if (const auto* t = llvm::dyn_cast<clang::CXXTryStmt>(s))
    return make(Kind::Try, s, {}, {statement(t->getTryBlock())});
  if (const auto* l = llvm::dyn_cast<clang::LabelStmt>(s)) return statement(l->getSubStmt());
  if (const auto* a = llvm::dyn_cast<clang::AttributedStmt>(s)) return statement(a->getSubStmt());
  if (llvm::isa<clang::GotoStmt>(s)) return make(Kind::Throw, s, "goto");  // errors leave that way
  if (llvm::isa<clang::NullStmt>(s)) return make(Kind::Nothing, s);
  Node out = make(Kind::Opaque, s, {});  // OpenMP and the like: what stands inside still happens
  for (const auto* child : s->children()) {
    if (child != nullptr) out.parts.push_back(statement(child));
  }
  return out;
}

}  // namespace hone::host
