#pragma once
// The kernel language: one immutable tree for OpenCL C, CUDA and HIP. A node is a kind, a text, a type, qualifiers and
// children; what each kind keeps where is said beside it below, builders are in build.hpp, walks and rewrites in
// rewrite.hpp. A node lifted from source owns the bytes it came from and prints them while it is untouched; a rebuilt
// node remembers the one it was made from, so that the printer splices only what changed (print.hpp).

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/type.hpp"

namespace hone::ir {

enum class Dialect { OpenCL, Cuda, Hip };
const char* dialect_name(Dialect dialect);

enum class Kind {
  // Of a translation unit
  Unit,      ///< children: Function, TopLevel, Directive
  Function,  ///< text: name; type: what it returns; qualifiers: "kernel", "inline", attributes; children: Parameter...,
             ///< then its Block if it has one
  Parameter,  ///< text: name (may be empty); type
  TopLevel,   ///< text: a typedef, struct or anything else at file level, as written; effects: what it declares
  Directive,  ///< text: one preprocessor line, or a whole inactive branch with its lines; anywhere a statement may be
  // Statements
  Block,    ///< children: statements
  For,      ///< children: init (Declare, ExpressionStatement or Empty), condition or Empty, step or Empty, body
  If,       ///< children: condition, then, and else if there is one
  While,    ///< children: condition, body
  DoWhile,  ///< children: body, condition
  Switch,   ///< children: value, body (a Block with Case and Default among its statements)
  Case,     ///< children: value (a label, not what follows it)
  Default,
  Declare,              ///< children: Variable...; one statement may declare several
  Variable,             ///< text: name; type; qualifiers: "static", ...; children: initial value if there is one
  ExpressionStatement,  ///< children: expression
  Return,               ///< children: value if there is one
  Break,
  Continue,
  Barrier,   ///< text: "local", "global" or "local|global": what the work-group waits to see
  Empty,     ///< `;`, or a missing part of a For
  Verbatim,  ///< text: as written; effects. Statement or expression that was not understood
  // Expressions
  Literal,  ///< text: as written ("3", "1.0f", "'a'", "\"s\""); type
  Name,     ///< text: a variable, parameter, enumerator or a header's named constant (CLK_LOCAL_MEM_FENCE, M_PI_F)
  Unary,    ///< text: - + ! ~ * & ++ -- (before the operand) or "post++" "post--"; children: operand
  Binary,   ///< text: the operator, "," included; children: left, right
  Assign,   ///< text: = += -= ...; children: target, value. An expression; mostly inside an ExpressionStatement
  Select,   ///< children: condition, then, else (the ?: of C)
  Cast,     ///< type: the target; children: operand
  Call,     ///< text: the callee; children: arguments
  Index,    ///< children: base, index
  Member,   ///< text: field or swizzle; children: base (p->x is Member of Unary *)
  VectorLiteral,  ///< type: the vector; children: its parts: (float4)(a, b), make_float4(...)
  InitList,       ///< children: {a, b}
  SizeOf,         ///< type: of what, when there is no child; children: expression if it was one
  ThreadIndex,    ///< text: see Thread; dimension
};
const char* kind_name(Kind kind);

/// Bytes of a text that several nodes share.
struct SourceText {
  std::string text;
  Dialect dialect = Dialect::OpenCL;
};
struct OwnedBytes {
  std::shared_ptr<const SourceText> source;
  std::size_t begin = 0, end = 0;
  bool owns() const { return source != nullptr && end > begin; }
  std::string_view bytes() const { return owns() ? std::string_view(source->text).substr(begin, end - begin) : ""; }
};

/// What a Verbatim may do, as far as its tokens tell. `unknown`: more than these, assume anything.
struct Effects {
  std::vector<std::string> reads, writes, declares;
  bool jumps = false, may_barrier = false, unknown = false;
  bool operator==(const Effects&) const = default;
};

struct Node;
using NodePtr = std::shared_ptr<const Node>;
using Nodes = std::vector<NodePtr>;

struct Node {
  Kind kind = Kind::Empty;
  std::string text;
  Type type;
  std::vector<std::string> qualifiers;
  int dimension = 0;
  Nodes children;
  std::shared_ptr<const Effects> effects;
  OwnedBytes origin;  ///< the bytes this node owns; after a rewrite, those its original owned
  NodePtr original;   ///< the lifted node this one was rebuilt from, when it was
};

bool is_expression(const Node& node);
bool is_statement(const Node& node);
inline bool is(const NodePtr& node, Kind kind) { return node != nullptr && node->kind == kind; }
inline bool is(const NodePtr& node, Kind kind, std::string_view text) { return is(node, kind) && node->text == text; }

/// Same tree: kinds, texts, children, and types where they are written (declarations, casts, vectors). Where the bytes
/// came from and the derived types of expressions do not count.
bool same(const Node& a, const Node& b);
inline bool same(const NodePtr& a, const NodePtr& b) { return a == b || (a && b && same(*a, *b)); }

// Rebuilding. Each remembers the original, so that untouched bytes survive; returns the node itself when nothing
// changes.
NodePtr with_children(const NodePtr& node, Nodes children);
NodePtr with_child(const NodePtr& node, std::size_t index, NodePtr child);
NodePtr with_text(const NodePtr& node, std::string text);
NodePtr with_type(const NodePtr& node, Type type);
NodePtr with_qualifiers(const NodePtr& node, std::vector<std::string> qualifiers);
/// A deep copy that owns no bytes.
NodePtr fresh(const NodePtr& node);

// Children by role.
inline const NodePtr& for_init(const NodePtr& n) { return n->children[0]; }
inline const NodePtr& for_condition(const NodePtr& n) { return n->children[1]; }
inline const NodePtr& for_step(const NodePtr& n) { return n->children[2]; }
inline const NodePtr& for_body(const NodePtr& n) { return n->children[3]; }
inline const NodePtr& if_condition(const NodePtr& n) { return n->children[0]; }
inline const NodePtr& if_then(const NodePtr& n) { return n->children[1]; }
inline NodePtr if_else(const NodePtr& n) { return n->children.size() > 2 ? n->children[2] : nullptr; }
/// Of For, While, DoWhile, Switch and Function (null for a function only declared).
NodePtr body_of(const NodePtr& n);
inline const NodePtr& left(const NodePtr& n) { return n->children[0]; }
inline const NodePtr& right(const NodePtr& n) { return n->children[1]; }
inline const NodePtr& operand(const NodePtr& n) { return n->children[0]; }
inline const NodePtr& index_base(const NodePtr& n) { return n->children[0]; }
inline const NodePtr& index_value(const NodePtr& n) { return n->children[1]; }
/// Of a Variable: its initial value or null. Of a Return: its value or null.
inline NodePtr value_of(const NodePtr& n) { return n->children.empty() ? nullptr : n->children[0]; }
Nodes parameters_of(const NodePtr& function);
bool is_kernel(const Node& function);
/// The expression of an ExpressionStatement that is an Assign, else null.
NodePtr assignment_of(const NodePtr& statement);
/// The value of an integer literal, any spelling C allows (0x10u, 'a' is none).
std::optional<long long> int_value(const NodePtr& node);

}  // namespace hone::ir
