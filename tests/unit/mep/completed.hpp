#pragma once
// From the text of an application to a MEP, without a device unless a test has one.

#include "mep/complete.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep::test {

inline Result<Mep> completed(const Files& application, const std::vector<std::string>& kernels,
                             const Limits& limits = {}, DeviceSessions* devices = nullptr) {
  source::ExtractRequest request;
  request.kernels = kernels;
  const auto taken = source::extract(application, request);
  if (!taken) return fail(taken.error());
  ir::LiftOptions options;
  for (const auto& define : taken->defines) options.defines[define.name] = define.value;
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::OpenCL, options);
  if (!unit) return fail(unit.error());
  return complete(*taken, *unit, limits, devices);
}

}  // namespace hone::mep::test
