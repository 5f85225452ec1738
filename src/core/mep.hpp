#pragma once
// A Mep: one or several kernels of a program with concrete problems to run them on. A folder that builds and runs
// without Hone; here as plain values. See docs/formats.md for the file.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/expression.hpp"
#include "core/language.hpp"
#include "core/provenance.hpp"

namespace hone {

/// What a manifest says without saying where it is from was set by whoever wrote it.
inline Provenance stated() { return {Provenance::Kind::Set, {}}; }

enum class Access { Read, Write, ReadWrite };

struct BufferSpec {
  std::string name;
  std::string type;            // element type, or the name of a StructSpec
  Expression extent;           // in elements
  std::string fill;            // a generator of inputs/: "uniform(-1,1)", "zero", "ramp"
  Provenance from = stated();  // of the extent
  bool operator==(const BufferSpec&) const = default;
};

struct ImageSpec {
  std::string name;
  std::string channel_order;  // "RGBA", "R", ...
  std::string channel_type;   // "float", "unorm_int8", ...
  Expression width, height;
  std::string fill;
  Provenance from = stated();                                      // of the sizes
  std::string kind = "2d";                                         // one of image_kinds(): "1d", "2d_array", "3d", ...
  Expression depth = Expression::literal(Value(std::int64_t{1}));  // layers of a 2d_array; those of a 1d_array: height
  bool operator==(const ImageSpec&) const = default;
};

struct StructField {
  std::string name, type;
  std::size_t count = 1;  // an array of that many
  bool operator==(const StructField&) const = default;
};
struct StructSpec {
  std::string name;
  std::vector<StructField> fields;
  bool packed = false;        // no room between fields
  std::size_t alignment = 0;  // at least this, when not 0
  bool operator==(const StructSpec&) const = default;
};

struct ArgumentSpec {
  enum class Kind { Buffer, Scalar, Local, Image, Sampler, Struct };
  std::string name;
  Kind kind = Kind::Scalar;
  std::string type;  // element, scalar or struct type; empty for images and samplers
  Access access = Access::Read;
  bool operator==(const ArgumentSpec&) const = default;
};

struct KernelSpec {
  std::string name;
  std::vector<ArgumentSpec> arguments;  // in the order of the kernel's signature
  bool operator==(const KernelSpec&) const = default;
};

/// What an argument is bound to at a launch. For a buffer or an image an expression that evaluates to its name (a bare
/// name does); for a local the number of elements; for a sampler a string like "nearest clamp_to_edge"; for a struct
/// its fields by name.
struct Binding {
  Expression value;
  std::map<std::string, Expression> fields;
  Provenance from = stated();
  bool operator==(const Binding&) const = default;
};

struct Launch {
  std::string kernel;
  std::map<std::string, Binding> arguments;
  std::vector<Expression> global;
  std::vector<Expression> local;   // empty: the runtime chooses
  std::vector<Expression> offset;  // empty: zero
  Provenance sizes = stated();     // of global, local and offset
  bool operator==(const Launch&) const = default;
};

/// A counted loop of launches: `variable` takes begin, begin+1, ... end-1.
struct LaunchLoop;
using LaunchStep = std::variant<Launch, LaunchLoop>;
struct LaunchLoop {
  std::string variable;
  Expression begin, end;
  std::vector<LaunchStep> body;
  bool operator==(const LaunchLoop&) const;
};

enum class Role { Tune, HeldOut, Awkward };
std::string_view name_of(Role role);  // "tune", "held-out", "awkward"

struct Workload {
  std::string name;
  Role role = Role::Tune;
  std::map<std::string, Value> scalars;
  std::vector<LaunchStep> launches;
  std::map<std::string, Provenance> from = {};  // of scalars; one that is absent was stated
  bool operator==(const Workload&) const = default;
};

/// "1d", "1d_buffer", "1d_array", "2d", "2d_array", "3d"
const std::vector<std::string>& image_kinds();

struct CheckRule {
  std::optional<double> relative;   // absent: by the output's type; never above that
  std::optional<double> tolerance;  // the person's own, in place of the type's rule; part of the claim
  /// Buffers whose elements come in any order: compared as sets.
  std::vector<std::string> unordered = {};
  bool operator==(const CheckRule&) const = default;
};

/// Where the values came from (A captured, B found in the code, C inferred, D stubbed) and how well the checks test.
struct Fidelity {
  char values = 'C';
  int mutants_killed = 0, mutants_total = 0;  // 0/0: not measured
  std::vector<std::string> reasons;
  bool operator==(const Fidelity&) const = default;
};

struct Mep {
  std::string name;
  Language language = Language::OpenCL;
  std::string source;                // the text of kernel.cl|cu|hip
  std::vector<std::string> options;  // of the build: "-DBLOCK=16"
  std::vector<Expression> contract;  // what K(0) and its host guarantee
  std::vector<StructSpec> structs;
  std::vector<BufferSpec> buffers;
  std::vector<ImageSpec> images;
  std::vector<KernelSpec> kernels;
  std::vector<Workload> workloads;
  CheckRule check;
  Fidelity fidelity;
  std::map<std::string, Provenance> defines = {};  // where the options' macros are from, by name
  bool operator==(const Mep&) const = default;
};

const KernelSpec* find_kernel(const Mep& mep, std::string_view name);
const Workload* find_workload(const Mep& mep, Role role);
/// What a proposer may see: everything but the held-out workloads.
Mep without_held_out(Mep mep);

}  // namespace hone
