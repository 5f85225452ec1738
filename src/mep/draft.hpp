#pragma once
// The Mep while it is being completed. Internal to mep/.

#include <map>
#include <set>
#include <string>

#include "affine/view.hpp"
#include "mep/complete.hpp"

namespace hone::mep {

using Sizes = std::map<std::string, std::int64_t>;

/// An array that a kernel declares itself: sizes for which it reaches further are none that its author had in mind.
struct OwnArray {
  std::string name;
  Expression needs;  // elements, in the workload's scalars
  std::int64_t holds = 0;
  bool operator==(const OwnArray&) const = default;
};

struct Draft {
  Mep mep;
  std::map<std::string, affine::View> views;                 // by kernel
  std::map<std::string, std::vector<std::int64_t>> groups;   // by kernel: the work-group its own arrays are made for
  std::vector<LaunchStep> steps;                             // the same for all workloads
  std::set<std::string> sizes;                               // scalars that are varied
  std::map<std::string, Value> fixed;                        // scalars that are not
  std::map<std::string, std::optional<std::int64_t>> start;  // what the host starts from
  std::map<std::string, Value> set;                          // --set, by the name that was given
  std::map<std::string, std::int64_t> given;                 // of these the sizes, by the name here
  std::map<std::string, Provenance> from;                    // of scalars
  std::map<std::string, Expression> needed;                  // by buffer: what the accesses need, where this is known
  std::vector<OwnArray> own_arrays;                          // those that sizes can make too small
  std::set<std::string> guessed_extents;                     // buffers whose extent nothing says
  std::set<std::string> index_buffers;                       // buffers whose values decide where a kernel reaches
  std::map<std::string, std::string> renamed;                // host names -> names here
  std::set<std::string> small;                               // scalars that are radii and the like, no sizes
  std::set<std::string> reals;                               // scalars that only fields of structs take, and are real
  bool sized_defines = false;                                // options follow the sizes
  bool from_host = false;
  void because(std::string reason) { mep.fidelity.reasons.push_back(std::move(reason)); }
};

/// 3 * n - 1 + 1 as 3 * n, where it is a polynomial; unchanged otherwise.
Expression simplified(const Expression& expression);
Expression::Environment environment(const Draft& draft, const Sizes& sizes);

/// Arguments with kinds, types and directions, from the tree and the affine view.
Status add_kernels(const Extraction& extraction, const ir::Unit& unit, Draft& draft);
/// Constants of the host that are sizes become names, with the constant as what they start from.
Extraction with_constants_as_sizes(Extraction extraction, Draft& draft);
/// Launches from the host program, or from the kernels' guards where there is none; names, fixed values.
Status add_launches(const Extraction& extraction, Draft& draft);
/// Buffers with extents and contents.
Status add_buffers(const Extraction& extraction, const ir::Unit& unit, Draft& draft);
/// Images with formats and sizes.
Status add_images(const Extraction& extraction, const ir::Unit& unit, Draft& draft);
/// Macros that the host makes of its sizes follow these; where that cannot be, the sizes stay what they are.
void let_defines_follow(const Extraction& extraction, Draft& draft);
/// What sizes must satisfy: work-groups that divide, accesses that stay inside.
void add_contract(Draft& draft);
/// Workloads for three roles; sizes by measurement where there is a device.
Status add_workloads(const Limits& limits, DeviceSessions* devices, Draft& draft);

/// A size the host computes, in the workload's names; nothing when it depends on something that no launch depends on.
std::optional<Expression> in_names_of(const Draft& draft, const HostProgram& host, const Expression& size);

/// No array of a kernel's own is too small.
bool own_arrays_hold(const Draft& draft, const Sizes& sizes);
bool keeps_contract(const Draft& draft, const Sizes& sizes);

}  // namespace hone::mep
