#pragma once
// Values, memory and arithmetic of the interpreter.

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/type.hpp"

namespace hone::testing {

/// Thrown inside the interpreter only.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Memory {
  std::string name;
  std::vector<std::uint8_t>* bytes = nullptr;
  std::vector<std::uint8_t> owned;
};
using MemoryPtr = std::shared_ptr<Memory>;
MemoryPtr allocate(std::string name, std::size_t size);

/// A scalar or vector in `integers` or `reals` by its type, or a pointer.
struct Value {
  ir::Type type;
  std::array<std::int64_t, 16> integers{};
  std::array<double, 16> reals{};
  MemoryPtr memory;
  std::int64_t offset = 0;

  double real(int lane) const;
  std::int64_t integer(int lane) const;
  bool truth() const;
};

/// Where something can be stored: bytes of a memory, or some lanes of a vector there.
struct Place {
  MemoryPtr memory;
  std::int64_t offset = 0;
  ir::Type type;
  std::vector<int> lanes;
};

Value int_value(std::int64_t value, const ir::Type& type);
Value real_value(double value, const ir::Type& type);
/// As C converts on assignment; a scalar widens to all lanes of a vector.
Value converted(const Value& value, const ir::Type& type);
Value load(const Place& place);
void store(const Place& place, const Value& value);
Value binary(const std::string& op, const Value& a, const Value& b);
Value unary(const std::string& op, const Value& a);
/// The lanes a swizzle names.
std::vector<int> swizzle(const std::string& field, int lanes);
/// A function every OpenCL device has.
Value builtin(const std::string& name, const std::vector<Value>& arguments, const ir::Type& type);

}  // namespace hone::testing
