#pragma once
// Types of the kernel language. A type knows what the rules and the printers ask: which scalar, how many lanes, where
// it lives, what it points to, how far its arrays reach. A typedef keeps its name for printing beside what it stands
// for.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hone::ir {

enum class Scalar {
  Void,
  Bool,
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Half,
  Float,
  Double,
  Struct,   ///< `name` is its tag or typedef
  Opaque,   ///< images, samplers, events: `name` is the whole spelling, access qualifier included
  Unknown,  ///< not understood; `name` is its spelling
};

/// Private is also "nothing said". Generic: a CUDA or HIP pointer whose space is not known.
enum class AddressSpace { Private, Global, Local, Constant, Generic };

struct Type {
  Scalar scalar = Scalar::Unknown;
  int lanes = 1;
  std::string name;  ///< of a struct, an opaque type, or the typedef it was written with; empty for plain builtins
  AddressSpace space = AddressSpace::Private;
  bool is_const = false, is_volatile = false, is_restrict = false;
  std::vector<std::int64_t> extents;    ///< outermost first; empty when not an array; -1 when not said
  std::shared_ptr<const Type> pointee;  ///< a pointer when set (with extents: an array of pointers)

  bool is_pointer() const { return pointee != nullptr && extents.empty(); }
  bool is_array() const { return !extents.empty(); }
  bool is_plain() const { return pointee == nullptr && extents.empty(); }
  bool is_vector() const { return is_plain() && lanes > 1; }
  /// Arithmetic with one lane.
  bool is_number() const;
  bool is_integer() const;   ///< of any lanes; Bool counts
  bool is_floating() const;  ///< of any lanes
  bool is_signed() const;
};

bool operator==(const Type& a, const Type& b);

/// What the type means, names of typedefs and qualifiers aside: `real_t const` and `float` are alike.
bool alike(const Type& a, const Type& b);

Type scalar_type(Scalar scalar, int lanes = 1);
Type named_type(Scalar scalar, std::string name);
Type pointer_to(Type pointee);
Type array_of(Type element, std::vector<std::int64_t> extents);
inline Type int_type() { return scalar_type(Scalar::Int); }
inline Type uint_type() { return scalar_type(Scalar::UInt); }
inline Type float_type() { return scalar_type(Scalar::Float); }
inline Type size_type() { return scalar_type(Scalar::ULong); }

/// The same type in another space; of an array, its elements.
Type in_space(Type type, AddressSpace space);
/// What `p[i]` has: the pointee, or the array with its outermost extent taken off. Unknown when neither.
Type element_of(const Type& type);
/// One lane of a vector.
Type lane_of(Type type);
/// Bytes of one scalar or vector (3 lanes take the room of 4); of an array all of it. 0 when not known.
std::int64_t size_of(const Type& type);
/// What `a + b` has: C's usual arithmetic conversions, with vectors winning over scalars.
Type common_type(const Type& a, const Type& b);

/// "float", "uint": OpenCL's own word for a scalar.
const char* scalar_name(Scalar scalar);

}  // namespace hone::ir
