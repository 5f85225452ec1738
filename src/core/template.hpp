#pragma once
// A Template: a kernel whose choices are named parameters. A Variant: one of them made concrete, plain source that can
// be judged, and that lands in the user's tree when it wins.

#include <map>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/language.hpp"
#include "core/schedule.hpp"
#include "core/space.hpp"

namespace hone {

/// Launch sizes of one kernel as functions of the original launch (`launch.global[0]`, `launch.local[0]`, workload
/// scalars, parameters). Global sizes are rounded up to local ones.
struct LaunchShape {
  std::string kernel;
  std::vector<Expression> global;
  std::vector<Expression> local;  // empty: the runtime chooses
  bool operator==(const LaunchShape&) const = default;
};

struct Template {
  std::string name;
  Language language = Language::OpenCL;
  Schedule schedule;   // steps of our rules; or
  std::string source;  // text whose parameters are macros. Exactly one of the two is given
  Space space;
  std::map<std::string, Expression> resources;  // u(θ): local_bytes, private_bytes, threads, registers
  std::vector<LaunchShape> launches;            // kernels that are absent keep their original launch
  std::vector<std::string> options;             // of the build, allow-listed
  std::string rationale;                        // what it does and why, in a sentence
  bool operator==(const Template&) const = default;
};

struct Variant {
  Language language = Language::OpenCL;
  std::string source;
  std::vector<LaunchShape> launches;  // no parameters left in them
  std::vector<std::string> options;
  bool operator==(const Variant&) const = default;
};

/// Launch shapes with every parameter replaced by its value.
std::vector<LaunchShape> specialise(const std::vector<LaunchShape>& shapes, const Configuration& configuration);

/// What the -D among build options define: "-DN=4" gives N 4, "-DFAST" gives FAST 1.
std::map<std::string, std::string> defines_in(const std::vector<std::string>& options);

/// Identity of what is judged: source, launches and options.
std::string hash_of(const Variant& variant);

/// The Variant of a source template: parameter names become literals, `#if`s over parameters alone are folded; where a
/// name cannot be replaced (it is pasted or stringised) a `#define` stays. Schedules are instantiated by rules/.
Result<Variant> instantiate_source(const Template& source_template, const Configuration& configuration);

}  // namespace hone
