#pragma once
// Inside source/ only: what one lift shares. The parts are lift_type.cpp, lift_expression.cpp, lift_statement.cpp,
// lift_unit.cpp and lift_cover.cpp, the check that every token of the text belongs to exactly one node.

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/tree.hpp"
#include "ir/unit.hpp"
#include "source/clang_parse.hpp"
#include "source/lift_tokens.hpp"

namespace hone::source {

/// A node while it is being made.
using Made = std::shared_ptr<ir::Node>;

inline Span span_of(const ir::Node& node) { return {node.origin.begin, node.origin.end}; }

class Lift {
 public:
  Lift(const Parsed& parsed, std::shared_ptr<const ir::SourceText> text);
  ir::NodePtr unit();

 private:
  // Places (lift_cover.cpp)
  std::optional<Span> span(clang::SourceRange range) const;
  std::optional<Span> ended(clang::SourceRange range) const;
  std::optional<Span> whole(const clang::Stmt* statement) const;
  std::optional<clang::Token> next_in_macro(clang::SourceLocation& at) const;
  std::size_t place(clang::SourceLocation at) const;
  bool in_main(clang::SourceLocation at) const;
  void own(const Made& node, std::optional<Span> where) const;
  bool covered(const ir::Node& node) const;
  bool has_error(const Span& where, const ir::Nodes& but_not_in) const;
  const Invocation* header_macro(const Span& where) const;
  bool loose_macro(const ir::Node& node, const std::vector<Span>& inner) const;

  // Types (lift_type.cpp)
  ir::Type type(clang::QualType type) const;
  ir::Type base_type(clang::QualType type) const;
  bool from_header(const clang::Decl* declaration) const;

  // Expressions (lift_expression.cpp); null when not understood
  Made expression(const clang::Expr* e) const;
  Made bare_expression(const clang::Expr* e) const;
  Made call(const clang::CallExpr* e) const;
  Made named_argument(const clang::CallExpr* e, std::size_t index) const;
  Made member(const clang::MemberExpr* e) const;
  Made through_pointer(const clang::Expr* e, const clang::Expr* base, const std::string& field) const;
  Made binary(const clang::BinaryOperator* e) const;
  Made overloaded(const clang::CXXOperatorCallExpr* e) const;
  Made compound_literal(const clang::CompoundLiteralExpr* e) const;
  Made explicit_cast(const clang::ExplicitCastExpr* e) const;
  Made literal(const clang::Expr* e) const;
  Made make(ir::Kind kind, const clang::Expr* e, std::string text,
            const std::vector<const clang::Expr*>& children) const;

  // Statements (lift_statement.cpp)
  void statement(const clang::Stmt* s, std::vector<Made>& out) const;
  Made understood(const clang::Stmt* s) const;
  Made single(const clang::Stmt* s) const;
  Made block(const clang::CompoundStmt* s) const;
  Made declare(const std::vector<const clang::VarDecl*>& variables, std::optional<Span> where) const;
  Made variable(const clang::VarDecl* v) const;
  Made barrier(const clang::Expr* e) const;
  Made loop(const clang::ForStmt* s) const;
  Made verbatim(const Span& where) const;
  bool interleave(const Span& inside, std::vector<Made>& children, const std::vector<std::size_t>& places) const;

  // The unit (lift_unit.cpp)
  void top_level(const clang::Decl* declaration, std::vector<Made>& out) const;
  Made function(const clang::FunctionDecl* f) const;
  Made parameter(const clang::ParmVarDecl* p, bool of_kernel) const;
  std::vector<std::string> head_words(const clang::FunctionDecl* f, const Span& head) const;
  Span with_front(Span where) const;
  Made piece(const Span& where) const;

  const Parsed& parsed_;
  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  std::shared_ptr<const ir::SourceText> text_;
  Tokens tokens_;
  std::vector<Invocation> invocations_;  ///< outermost ones only
};

/// A node that only has its kind and text yet.
Made made(ir::Kind kind, std::string text = {});

}  // namespace hone::source
