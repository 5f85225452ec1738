#pragma once
// Values of the interpreter and their arithmetic; nothing here touches memory.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/run.hpp"
#include "ir/type.hpp"

namespace hone::interpreter {

/// Thrown inside the interpreter only; run() makes a Finding of it.
struct Stopped {
  Finding finding;
};
[[noreturn]] void stop(Finding::Kind kind, std::string sentence);
[[noreturn]] inline void unsupported(const std::string& what) { stop(Finding::Kind::Unsupported, what); }
[[noreturn]] inline void undefined(const std::string& what) { stop(Finding::Kind::Undefined, what); }

struct Memory;
using MemoryPtr = std::shared_ptr<Memory>;

/// A scalar or vector in `integers` or `reals` by its type, or a pointer.
struct Value {
  ir::Type type;
  std::array<std::int64_t, 16> integers{};
  std::array<double, 16> reals{};
  MemoryPtr memory;
  std::int64_t offset = 0;
  bool overflowed = false;  ///< a signed integer overflowed on the way here

  double real(int lane) const;
  std::int64_t integer(int lane) const;
  bool truth() const;
};

/// Zero, without the qualifiers of a variable of that type.
Value plain(const ir::Type& type);
Value int_value(std::int64_t value, const ir::Type& type);
Value real_value(double value, const ir::Type& type);
/// As C converts on assignment; a scalar widens to all lanes of a vector.
Value converted(const Value& value, const ir::Type& type);
Value binary(const std::string& op, const Value& a, const Value& b);
Value unary(const std::string& op, const Value& a);
/// The lanes a swizzle names.
std::vector<int> swizzle(const std::string& field, int lanes);
/// Of these lanes of a vector, in this order.
Value lanes_of(const Value& vector, const std::vector<int>& lanes);
/// The integer as a variable of that scalar type keeps it.
std::int64_t wrapped(std::int64_t value, ir::Scalar scalar);
/// A function every OpenCL device has and that touches no memory.
Value builtin(const std::string& name, const std::vector<Value>& arguments, const ir::Type& type);

}  // namespace hone::interpreter
