#include "app/briefing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "affine/view.hpp"
#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "loop/least_time.hpp"
#include "rules/launch_facts.hpp"
#include "rules/survey.hpp"

namespace hone::app {
namespace {

std::string footprint_text(Bytes size) {
  return size.count >= mebibytes(1).count ? fmt::format("{} MiB", size.count >> 20U)
                                          : fmt::format("{} KiB", size.count >> 10U);
}

/// How the runtime executes work-items: what a rewrite that pays on the other kind of device gets wrong here.
std::string execution_text(const DeviceInfo& device) {
  if (device.kind == "gpu")
    return "work-items run in lockstep groups side by side; neighbours should touch neighbouring elements, and enough "
           "groups hide latency (how devices of this kind work; not measured here)";
  return "one core runs a whole work-group, its work-items one after another as a loop; groups are spread over the "
         "cores. "
         "Local memory is ordinary cached memory, so staging into it is a copy that seldom pays; a barrier splits the "
         "loop and stores what is live. Vectors (float8, vload/vstore) and contiguous accesses use the lanes; few, "
         "larger work-items cost less than many small ones (how runtimes of this kind work; not measured here)";
}

std::vector<std::string> device_lines(const DeviceInfo& device, const Ceilings& ceilings) {
  std::vector<std::string> out = {"how it runs work-items: " + execution_text(device)};
  std::vector<std::string> rates;
  for (const auto& point : ceilings.bandwidth)
    rates.push_back(
        fmt::format("{} of data {:.1f} GB/s", footprint_text(point.footprint), point.bytes_per_second * 1e-9));
  if (!rates.empty()) out.push_back("reading at best, measured here: " + join(rates, ", "));
  rates.clear();
  for (const auto& [type, rate] : ceilings.flops) rates.push_back(fmt::format("{} {:.1f} G/s", type, rate * 1e-9));
  if (!rates.empty()) out.push_back("operations at best, measured here: " + join(rates, ", "));
  if (ceilings.launch_overhead.count() > 0)
    out.push_back(
        fmt::format("one launch more costs {:.1f} us, measured here", ceilings.launch_overhead.count() * 1e-3));
  return out;
}

/// What must be moved and computed, how these stand to each other, and what that takes at best.
std::vector<std::string> needs_lines(const Mep& mep, const rules::LiftedKernel* lifted, const DeviceInfo& device,
                                     const Ceilings& ceilings) {
  std::vector<std::string> out;
  for (const auto& [workload, needs] :
       loop::needs_of(mep, lifted != nullptr ? &lifted->unit : nullptr, device, ceilings)) {
    std::string line = fmt::format("all launches of `{}` together touch {:.3g} MB of buffers", workload,
                                   1e-6 * static_cast<double>(needs.moved.count));
    double operations = 0;
    for (const auto& [type, count] : needs.operations) {
      operations += count;
      line += fmt::format(", do {:.3g} million operations on {} as the original does them", 1e-6 * count, type);
    }
    if (operations > 0 && needs.moved.count > 0)
      line += fmt::format(": {:.3g} operations for each byte", operations / static_cast<double>(needs.moved.count));
    const auto least = std::max(needs.moving, needs.computing);
    if (least.count() > 0)
      line += fmt::format(
          ". At the rates above moving each byte once takes {:.3f} ms{}: the least possible time is about {:.3f} ms{}",
          needs.moving.count() * 1e-6,
          needs.computing.count() > 0 ? fmt::format(", computing {:.3f} ms", needs.computing.count() * 1e-6) : "",
          least.count() * 1e-6, needs.computing > needs.moving ? ", bound by arithmetic" : ", bound by memory");
    out.push_back(std::move(line));
  }
  return out;
}

/// Integer arguments of the kernel's first launch when it is timed.
std::map<std::string, std::int64_t> timed_arguments(const Mep& mep, const std::string& kernel) {
  std::map<std::string, std::int64_t> out;
  bool found = false;
  for (const auto& workload : mep.workloads) {
    if (workload.role != Role::Tune || found) continue;
    each_launch(workload.launches, [&](const Launch& launch, const auto&) {
      if (launch.kernel != kernel || std::exchange(found, true)) return;
      for (const auto& [name, binding] : launch.arguments) {
        const auto value = binding.value.evaluate([&](std::string_view wanted) -> std::optional<Value> {
          const auto known = workload.scalars.find(std::string(wanted));
          return known == workload.scalars.end() ? std::nullopt : std::optional(known->second);
        });
        if (const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr) out[name] = *number;
      }
    });
  }
  return out;
}

/// How often a loop runs when it is timed; nothing where that depends on more than the arguments.
std::optional<std::int64_t> trips_of(const affine::Loop& loop) {
  const auto begin = loop.begin ? loop.begin->constant() : std::nullopt;
  const auto end = loop.end ? loop.end->constant() : std::nullopt;
  const auto step = loop.step ? loop.step->constant() : std::nullopt;
  if (!begin || !end || !step || *step <= 0 || *end < *begin) return std::nullopt;
  return (*end - *begin + *step - 1) / *step;
}

std::vector<std::string> loop_lines(const rules::LiftedKernel& lifted, const std::string& kernel) {
  std::vector<std::string> out;
  const auto function = ir::find_function(lifted.unit, kernel);
  if (!function) return out;
  const auto view = affine::analyse(lifted.unit, function);
  const auto facts = rules::launch_facts(lifted.mep, kernel);
  affine::Facts timed;
  timed.values = timed_arguments(lifted.mep, kernel);
  const auto when_timed = affine::analyse(lifted.unit, function, timed);
  const auto distinct = [&](const std::string& a, const std::string& b) { return facts.distinct(a, b); };
  for (std::size_t i = 0; i < view.loops.size(); ++i) {
    const auto& loop = view.loops[i];
    if (loop.symbol.empty()) {
      out.push_back(fmt::format("`{}`: a loop that does not count", kernel));
      continue;
    }
    std::string line = fmt::format("`{}`: loop `{}`", kernel, loop.symbol);
    if (loop.begin && loop.end)
      line += fmt::format(" from {} to {}{}", loop.begin->print(), loop.end->print(),
                          loop.step && loop.step->constant() != 1 ? " by " + loop.step->print() : "");
    const bool constant = loop.begin && loop.end && loop.begin->constant() && loop.end->constant();
    if (const auto trips = i < when_timed.loops.size() ? trips_of(when_timed.loops[i]) : std::nullopt;
        trips && !constant)
      line += fmt::format(" ({} times when timed)", *trips);
    std::vector<std::string> carried;
    for (const auto& one : loop.carried)
      carried.push_back(one.op.empty() ? one.name : fmt::format("{} (by {})", one.name, one.op));
    if (!carried.empty())
      line += ", carries " + join(carried, ", ");
    else if (affine::iterations_independent(view, static_cast<int>(i), distinct))
      line += ", its iterations are independent";
    if (loop.parent >= 0)
      line += fmt::format(", inside `{}`", view.loops[static_cast<std::size_t>(loop.parent)].symbol);
    out.push_back(std::move(line));
  }
  return out;
}

std::vector<std::string> move_lines(const rules::LiftedKernel& lifted, const std::string& kernel,
                                    const PatchLimits& limits) {
  std::vector<std::string> out;
  const auto survey = rules::survey(lifted, kernel, limits);
  for (const auto& [rule, offers] : survey.offers)
    for (const auto& offer : offers)
      out.push_back(fmt::format("`{}`: the rule `{}{}{}` applies", kernel, rule, offer.arguments.empty() ? "" : " ",
                                join(offer.arguments, " ")));
  for (const auto& line : survey.declined) out.push_back("does not apply: " + line);
  return out;
}

void append(std::vector<std::string>& to, std::vector<std::string> lines) {
  to.insert(to.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
}

}  // namespace

Briefing brief(const Mep& mep, const rules::LiftedKernel* lifted, const DeviceInfo& device, const Ceilings& ceilings,
               const PatchLimits& limits) {
  Briefing out;
  out.device = device_lines(device, ceilings);
  append(out.device, needs_lines(mep, lifted, device, ceilings));
  if (lifted == nullptr) return out;
  for (const auto& kernel : mep.kernels) {
    append(out.loops, loop_lines(*lifted, kernel.name));
    if (rules::launch_facts(lifted->mep, kernel.name).launched)
      append(out.moves, move_lines(*lifted, kernel.name, limits));
  }
  return out;
}

}  // namespace hone::app
