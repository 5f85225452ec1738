#pragma once
// Kernels as text with launches around them, for the tests of rules.

#include <string>
#include <vector>

#include "rules/schedule.hpp"
#include "source/lift.hpp"

namespace hone::rules {

struct Launched {
  std::size_t dimensions = 1;
  long long local = 0;      // 0: the runtime chooses
  bool one_buffer = false;  // every pointer is bound to the same buffer
};

inline LiftedKernel lift_kernel(const std::string& text, const Launched& launched = {}) {
  LiftedKernel lifted;
  lifted.unit = *source::ClangLifter().lift(text, ir::Dialect::OpenCL);
  const auto kernel = ir::kernels_of(lifted.unit).front();
  lifted.kernel = kernel->text;
  KernelSpec spec;
  spec.name = kernel->text;
  Launch launch;
  launch.kernel = kernel->text;
  for (std::size_t d = 0; d < launched.dimensions; ++d) {
    launch.global.push_back(Expression::name("n"));
    if (launched.local > 0) launch.local.push_back(Expression::literal(std::int64_t{launched.local}));
  }
  for (const auto& p : ir::parameters_of(kernel)) {
    ArgumentSpec argument;
    argument.name = p->text;
    spec.arguments.push_back(argument);
    launch.arguments[p->text] = Binding{Expression::name(launched.one_buffer ? "same" : p->text + "_buffer"), {}};
  }
  Workload workload;
  workload.name = "tune";
  workload.scalars["n"] = std::int64_t{512};
  workload.launches.emplace_back(launch);
  lifted.mep.kernels = {spec};
  lifted.mep.workloads = {workload};
  return lifted;
}

/// The variant's source, or the reason there is none.
inline std::string rewritten(const LiftedKernel& lifted, const std::vector<std::string>& schedule) {
  const auto variant = replay(lifted, schedule_from_lines(schedule), {});
  return variant ? variant->source : variant.error().text();
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace hone::rules
