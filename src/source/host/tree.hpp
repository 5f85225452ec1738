#pragma once
// Host code as a plain tree: declarations, scopes, types, calls and where each stands. `lower` makes it of what Clang
// read, in a process of its own; from there on it is bytes, and nothing that uses it knows Clang. One Unit is one
// translation unit; Program (program.hpp) joins several.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace hone::host {

/// Bytes of a file of the application. What a macro made stands where the macro was written.
struct Place {
  std::int32_t file = -1;  // in Unit::files; -1: outside of the application
  std::uint32_t begin = 0, end = 0, line = 0;
  bool in_macro = false;
};

enum class Kind : std::uint8_t {
  // statements; parts in the order of the language
  Block,
  Declare,  // decl; the initial value when there is one
  If,       // condition, then, else
  For,      // init, condition, step, body; absent ones are Nothing
  While,
  Do,        // body, condition
  RangeFor,  // range, body; decl is the variable
  Switch,    // value, then statements among which Case and Default stand
  Case,
  Default,
  Return,
  Break,
  Continue,
  Throw,
  Try,  // the block; handlers are left out
  // expressions
  Integer,
  Real,
  Text,
  Null,
  Zero,  // the empty value of its type
  Name,  // a variable
  FunctionName,
  This,
  Member,  // of its one part; text is the field
  Index,
  Deref,
  AddressOf,
  Decay,      // an array as a pointer to its first element
  Unary,      // text: - ! ~
  Increment,  // text: ++x x++ --x x--
  Binary,
  Logic,  // && ||
  Comma,
  Assign,  // text: = += ...
  Select,  // condition, value, other
  Cast,
  Call,        // text: qualified name; function when it is declared
  CallValue,   // what is called, arguments
  MethodCall,  // text: name; object, arguments
  Operator,    // an overloaded operator: text; operands
  Construct,   // text: class; arguments
  InitList,
  New,  // parts: count or Nothing, initial value or Nothing
  Lambda,
  Launch,      // kernel<<<grid, block, shared, stream>>>(arguments): four, the kernel, arguments
  BlockValue,  // ({ ... })
  Pack,        // a pack to be expanded in place
  Opaque,      // what Clang could not make sense of: text is its tokens, parts what it understood
  Nothing
};

struct Node {
  Kind kind = Kind::Nothing;
  std::string text;
  std::int32_t decl = -1;      // of Name, Declare, RangeFor
  std::int32_t function = -1;  // of calls, FunctionName, Lambda, Construct
  std::int32_t type = -1;
  Place place;
  std::vector<Node> parts;
};

struct Type {
  enum class Kind : std::uint8_t { Unknown, Void, Bool, Integer, Real, Pointer, Reference, Array, Record, Function };
  Kind kind = Kind::Unknown;
  bool is_signed = false, is_const = false;
  std::int64_t bytes = -1;    // -1: not known
  std::int32_t element = -1;  // of pointers, references and arrays
  std::int64_t count = -1;    // of arrays
  std::string name;           // of records, and of anything that was named: cl_mem
};

struct Decl {
  std::string name, key;  // key: names the same variable in other units; empty for locals
  std::int32_t type = -1;
  Place place;
  bool is_static = false;    // lives once
  bool is_constant = false;  // constexpr, or const in a header: never a size of the problem
  bool changes = false;      // counted up, or given a value made of its own
};

struct Function {
  std::string name, key, record;  // name is qualified
  std::vector<std::int32_t> parameters;
  bool has_body = false, is_static = false, is_kernel = false, is_method = false, is_constructor = false,
       has_pack = false, returns_reference = false;
  bool is_template = false;              // a pattern, to be read only when no instance is there
  std::uint32_t changes_parameters = 0;  // a bit for each of the first that is a reference to what is not constant
  Place place;
  std::vector<Node> initializers;  // of a constructor: text is the field or base, one part
  Node body;
};

struct Field {
  std::string name;
  std::int32_t type = -1;
  std::int64_t offset = 0;  // bytes
  bool changes = false;
  Node initial;
};
struct Record {
  std::string name;
  std::int64_t bytes = -1;
  std::vector<std::string> bases;
  std::vector<Field> fields;
};

struct Unit {
  std::vector<std::string> files;  // files[0] is the one that was parsed
  std::vector<Type> types;
  std::vector<Decl> decls;
  std::vector<Function> functions;
  std::vector<Record> records;
  std::vector<Node> globals;  // Declare
  std::vector<std::string> notes;
};

std::string to_bytes(const Unit& unit);
/// E-HOSTTREE when the bytes are not a unit: the process that wrote them ended in between.
Result<Unit> unit_from_bytes(std::string_view bytes);

}  // namespace hone::host
