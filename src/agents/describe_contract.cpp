// How a kernel is called: what a rewrite must keep, with every value that is not held out.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agents/describe.hpp"
#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/language.hpp"
#include "core/launch_walk.hpp"
#include "core/layout.hpp"

namespace hone::agents {
namespace {

std::string_view access_word(Access access) {
  switch (access) {
    case Access::Read: return "read only";
    case Access::Write: return "written only";
    case Access::ReadWrite: break;
  }
  return "read and written";
}

std::string sizes(const std::vector<Expression>& expressions) {
  std::vector<std::string> parts;
  parts.reserve(expressions.size());
  for (const auto& expression : expressions) parts.push_back(expression.print());
  return "(" + join(parts, ", ") + ")";
}

/// What the argument is bound to in the tune workloads, each once.
std::vector<std::string> bound_to(const Mep& mep, const std::string& kernel, const std::string& argument) {
  std::vector<std::string> out;
  for (const auto& workload : mep.workloads) {
    if (workload.role != Role::Tune) continue;
    each_launch(workload.launches, [&](const Launch& launch) {
      const auto found = launch.arguments.find(argument);
      if (launch.kernel != kernel || found == launch.arguments.end()) return;
      const auto text = found->second.value.print();
      if (std::ranges::find(out, text) == out.end()) out.push_back(text);
    });
  }
  return out;
}

std::string buffer_text(const Mep& mep, const std::string& name) {
  const auto found = std::ranges::find(mep.buffers, name, &BufferSpec::name);
  if (found == mep.buffers.end()) return "`" + one_line(name) + "`";
  return fmt::format("buffer `{}` of {} elements, filled by {}", one_line(found->name), found->extent.print(),
                     found->fill.empty() ? "zero" : one_line(found->fill));
}

/// Arguments that get the same buffer: they alias.
std::string shared_with(const Mep& mep, const KernelSpec& kernel, const ArgumentSpec& argument) {
  const auto own = bound_to(mep, kernel.name, argument.name);
  for (const auto& other : kernel.arguments) {
    if (other.name == argument.name || other.kind != ArgumentSpec::Kind::Buffer) continue;
    for (const auto& name : bound_to(mep, kernel.name, other.name))
      if (std::ranges::find(own, name) != own.end()) return "; may be the same memory as `" + other.name + "`";
  }
  return "; no other argument's memory";
}

std::string argument_text(const Mep& mep, const KernelSpec& kernel, const ArgumentSpec& argument) {
  const auto bound = bound_to(mep, kernel.name, argument.name);
  const std::string value = bound.empty() ? "" : " = " + join(bound, " or ");
  switch (argument.kind) {
    case ArgumentSpec::Kind::Buffer: {
      std::vector<std::string> buffers;
      for (const auto& name : bound) buffers.push_back(buffer_text(mep, name));
      return fmt::format("`{}`: {} *, {}{}{}", argument.name, argument.type, access_word(argument.access),
                         buffers.empty() ? "" : ", " + join(buffers, " or "),
                         bound.empty() ? "" : shared_with(mep, kernel, argument));
    }
    case ArgumentSpec::Kind::Scalar: return fmt::format("`{}`: {}{}", argument.name, argument.type, value);
    case ArgumentSpec::Kind::Local:
      return fmt::format("`{}`: local memory of {}{}", argument.name, argument.type,
                         bound.empty() ? "" : ", " + join(bound, " or ") + " elements");
    case ArgumentSpec::Kind::Image: return fmt::format("`{}`: image, {}", argument.name, access_word(argument.access));
    case ArgumentSpec::Kind::Sampler: return fmt::format("`{}`: sampler", argument.name);
    case ArgumentSpec::Kind::Struct: break;
  }
  return fmt::format("`{}`: struct {}", argument.name, argument.type);
}

std::vector<std::string> launch_lines(const std::vector<LaunchStep>& steps) {
  std::vector<std::string> lines;
  each_launch(steps, [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    std::string around;
    for (const auto* loop : loops)
      around += fmt::format("for {} in {}..{}: ", loop->variable, loop->begin.print(), loop->end.print());
    lines.push_back(fmt::format("{}`{}` with global {}, local {}", around, launch.kernel, sizes(launch.global),
                                launch.local.empty() ? "chosen by the runtime" : sizes(launch.local)));
  });
  return lines;
}

/// Sizes that are timed. Those that are only checked are told as what they may be, never as values.
std::string workload_text(const Workload& workload) {
  std::vector<std::string> scalars;
  scalars.reserve(workload.scalars.size());
  for (const auto& [name, value] : workload.scalars) scalars.push_back(name + " = " + print(value));
  return fmt::format("timed with {}: {}", join(scalars, ", "), join(launch_lines(workload.launches), "; "));
}

std::string limit_text(const KernelLimit& limit) {
  if (limit.tier != LaunchTier::Kept) return fmt::format("the launch of `{}` may change", limit.kernel);
  return fmt::format("the launch of `{}` must stay as it is ({}): no `[[launch]]` for it", limit.kernel,
                     limit.reason.empty() ? "it cannot be changed in the application" : one_line(limit.reason));
}

}  // namespace

std::string describe_contract(const Mep& mep, const PatchLimits& limits) {
  std::string takes;
  std::vector<std::string> lines;
  for (const auto& kernel : mep.kernels) {
    takes += fmt::format("- `{}` takes\n", one_line(kernel.name));
    for (const auto& argument : kernel.arguments)
      takes += "  - " + without_controls(argument_text(mep, kernel, argument)) + "\n";
  }
  for (const auto& workload : mep.workloads)
    if (workload.role == Role::Tune) lines.push_back(workload_text(workload));
  for (const auto& condition : mep.contract) lines.push_back("always true: " + condition.print());
  lines.emplace_back(mep.contract.empty()
                         ? "other sizes, which are checked too, may be anything from 1 on and divide by nothing"
                         : "other sizes, which are checked too, may be anything from 1 on that this allows");
  if (!mep.options.empty()) lines.push_back("built with " + one_line(join(mep.options, " ")));
  if (limits.applies)
    for (const auto& limit : limits.kernels) lines.push_back(limit_text(limit));
  return takes + describe_lines(lines, "");
}

std::string describe_agreement(const Mep& mep) {
  std::set<std::string> said;
  for (const auto& buffer : mep.buffers) {
    const auto type = element_type(buffer.type);
    const std::string scalar = type ? type->scalar : "";
    if (mep.check.tolerance && (scalar == "float" || scalar == "double" || scalar == "half"))
      said.insert(fmt::format("{} may differ by {:g} of the larger of the element and the output's typical size",
                              scalar, *mep.check.tolerance));
    else if (scalar == "float" || scalar == "double" || scalar == "half") {
      double most = scalar == "half" ? 1e-2 : scalar == "float" ? 1e-4 : 1e-10;
      if (mep.check.relative) most = std::min(most, *mep.check.relative);
      said.insert(fmt::format(
          "{} may differ by {:g} of the larger of the element and the output's typical size{}", scalar, most,
          scalar == "float" ? ", and its root-mean-square error against a computation in double may be at most twice "
                              "the original's own (or 4 ulp), so sums may be reordered but not made coarser"
                            : ""));
    } else {
      said.insert("integers must be equal");
    }
  }
  if (!mep.check.unordered.empty()) said.insert("elements of " + join(mep.check.unordered, ", ") + " in any order");
  said.insert("NaN and infinity where the original has them and nowhere else");
  return join({said.begin(), said.end()}, "; ") + ".";
}

}  // namespace hone::agents
