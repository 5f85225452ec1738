#pragma once
// Kernels nobody wrote, made for what rules get wrong: one to three dimensions, buffers of exactly the size that is
// used, stores to parameters inside loops and under conditions, elements only some work-items may touch, loop headers
// that read what the loop writes. All are defined and free of races; `run_rule_kernel` says so, or what is wrong.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "interpreter/run.hpp"
#include "rules/schedule.hpp"

namespace hone::testing {

using interpreter::Bytes;

struct RuleKernel {
  std::string text;
  std::size_t dimensions = 1;
  std::array<std::size_t, 3> size = {1, 1, 1};    // of the problem
  std::array<std::size_t, 3> global = {1, 1, 1};  // of the launch; larger than the problem where the kernel is guarded
  std::array<std::size_t, 3> local = {0, 0, 0};   // 0: the runtime chooses
  std::int64_t turns = 3;                         // of its loops
};

/// The kernel `k` of this seed.
RuleKernel rule_kernel(std::uint32_t seed);

/// With launches around it: distinct buffers, sizes as above.
rules::LiftedKernel lifted_rule_kernel(const RuleKernel& kernel, const ir::Unit& unit);
/// The launch of the original, or what a variant makes of it.
interpreter::Geometry geometry_of(const RuleKernel& kernel, const Variant* variant);

/// All its outputs, one after the other; E-INTERPRET names what no kernel may do.
Result<Bytes> run_rule_kernel(const RuleKernel& kernel, const ir::Unit& unit, const interpreter::Geometry& geometry);

/// A few steps of any rules in any order.
Schedule drawn_schedule(const RuleKernel& kernel, std::uint32_t seed);

}  // namespace hone::testing
