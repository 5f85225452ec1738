#pragma once
// Clang's AST -> host tree. Runs only in the process that parses (parse_unit.hpp); everything made is plain values.

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <string>

#include "source/host/tree.hpp"

namespace hone::host {

/// Where the application's files stand for Clang: a folder that does not exist on disk.
inline constexpr const char* tree_root = "/hone-tree/";

/// Which files are the application's; copies of OpenCL's own headers are not.
class ApplicationFiles {
 public:
  explicit ApplicationFiles(const clang::SourceManager& sources) : sources_(sources) {}
  bool has(clang::SourceLocation at) const;

 private:
  const clang::SourceManager& sources_;
  mutable std::map<unsigned, bool> known_;  // by file
};

class Lowering {
 public:
  Lowering(clang::ASTContext& context, Unit& unit)
      : context_(context), sources_(context.getSourceManager()), application_(sources_), unit_(unit) {}
  void run();

 private:
  // lower_declaration.cpp
  void function_body(const clang::FunctionDecl* function);
  std::int32_t function_id(const clang::FunctionDecl* function);
  std::int32_t decl_id(const clang::ValueDecl* decl);
  void global(const clang::VarDecl* variable);
  void record(const clang::RecordDecl* record);
  bool in_application(clang::SourceLocation at) const { return application_.has(at); }
  void note_changes(const clang::Stmt* body);
  friend class Collect;

  // lower_type.cpp
  std::int32_t type_id(clang::QualType type);
  std::string record_name(const clang::RecordDecl* record);

  // lower_statement.cpp
  Node statement(const clang::Stmt* statement);
  Node block(const clang::CompoundStmt* block);
  Node declare(const clang::VarDecl* variable);
  Node opaque(clang::SourceRange range, std::string text = {});
  std::vector<Node> between(clang::SourceLocation from, clang::SourceLocation to);

  // lower_expression.cpp
  Node expression(const clang::Expr* expression);
  Node value(const clang::Expr* expression);
  Node call(const clang::CallExpr* call);
  Node unresolved_call(const clang::CallExpr* call);
  Node construct(const clang::CXXConstructExpr* construct);
  Node inherited_constructor(const clang::CXXInheritedCtorInitExpr* e, const clang::CXXConstructorDecl* from);
  Node cast(const clang::CastExpr* cast);
  Node operation(const clang::BinaryOperator* operation);
  Node unary(const clang::UnaryOperator* operation);
  Node reference(const clang::DeclRefExpr* reference);
  Node member(const clang::MemberExpr* member);
  Node lambda(const clang::LambdaExpr* lambda);
  Node recovery(const clang::RecoveryExpr* recovery);
  Node constant(const clang::Expr* expression, const Node& otherwise);

  Node make(Kind kind, const clang::Stmt* from, std::string text = {}, std::vector<Node> parts = {});
  struct Written {
    clang::FileID file;
    unsigned begin = 0, end = 0;
    bool in_macro = false;
  };
  Written written(clang::SourceRange range) const;
  Place place(clang::SourceRange range);
  std::string text_of(clang::SourceRange range);
  std::int32_t file_id(clang::FileID file);

  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  ApplicationFiles application_;
  Unit& unit_;
  std::map<const clang::Decl*, std::int32_t> decls_, functions_;
  std::map<const void*, std::int32_t> types_;
  std::map<std::string, bool> records_;
  std::map<unsigned, std::int32_t> files_;
  std::vector<const clang::FunctionDecl*> pending_;
  std::map<const clang::Decl*, bool> changes_;
  int depth_ = 0;
};

}  // namespace hone::host
