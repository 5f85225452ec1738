#include "app/check_for.hpp"

#include <fmt/format.h>

#include <set>

#include "app/instantiate.hpp"
#include "base/text.hpp"
#include "core/launches.hpp"
#include "core/occupancy.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

/// One size of a block with its dynamic shared memory, and the workloads that launch it.
struct Shape {
  std::string kernel;
  std::int64_t threads = 1, dynamic = 0;
  auto operator<=>(const Shape&) const = default;
};

std::string kernel_name(const std::string& name) {  // "scale" of "ns::scale<float, 256>"
  const auto plain = name.substr(0, name.find('<'));
  const auto cut = plain.rfind("::");
  return cut == std::string::npos ? plain : plain.substr(cut + 2);
}

Result<std::map<Shape, std::vector<std::string>>> shapes_of(const Mep& mep, const Variant& variant,
                                                            const DeviceInfo& device) {
  std::map<Shape, std::vector<std::string>> out;
  for (const auto& workload : mep.workloads) {
    const auto problem = concretise(mep, workload, variant.launches, device, 1);
    if (!problem) return fail(Error(problem.error()).context("workload " + workload.name));
    for (const auto& launch : problem->launches) {
      Shape shape{launch.kernel, 1, 0};
      for (const auto size : launch.local) shape.threads *= static_cast<std::int64_t>(size);
      for (const auto& argument : launch.arguments) shape.dynamic += static_cast<std::int64_t>(argument.local_bytes);
      auto& names = out[shape];
      if (names.empty() || names.back() != workload.name) names.push_back(workload.name);
    }
  }
  return out;
}

Result<Variant> compiled_variant(const Mep& mep, const std::string& candidate) {
  if (candidate.empty()) return Variant{mep.language, mep.source, {}, mep.options};
  const auto loaded = load_template(candidate);
  if (!loaded) return fail(loaded.error());
  return Instantiator(mep)(*loaded, default_configuration(loaded->space));
}

std::int64_t number(const KernelResources& kernel, const char* key) {
  const auto found = kernel.numbers.find(key);
  return found == kernel.numbers.end() ? 0 : found->second;
}

std::string needs_in_words(const KernelResources& kernel) {
  const auto spilled =
      number(kernel, "spill_stores") + number(kernel, "spill_loads") + number(kernel, "spilled_registers");
  std::string spills = "no spills";
  if (spilled > 0 && kernel.numbers.contains("spilled_registers"))
    spills = fmt::format("{} registers SPILLED", number(kernel, "spilled_registers"));
  else if (spilled > 0)
    spills =
        fmt::format("SPILLS {} bytes out and {} in", number(kernel, "spill_stores"), number(kernel, "spill_loads"));
  return fmt::format("{} registers, {}, {} bytes of static shared memory, {} bytes of local memory a thread",
                     number(kernel, "registers"), spills, number(kernel, "local_bytes"),
                     number(kernel, "private_bytes"));
}

class Report {
 public:
  Report(std::string architecture, const DeviceInfo& device)
      : architecture_(std::move(architecture)), gpu_(gpu_limits(architecture_)) {
    answer_.text = fmt::format("compiled for {} by {}; nothing ran and nothing was timed: no such GPU is used here\n",
                               architecture_, device.driver);
    if (!gpu_)
      answer_.text += fmt::format("  the limits of {} are not known ({} are): occupancy is left out\n", architecture_,
                                  join(known_gpus(), ", "));
    answer_.data = {{"architecture", architecture_}, {"compiler", device.driver}, {"kernels", json::array()}};
  }

  void kernel(const KernelResources& one, const std::map<Shape, std::vector<std::string>>& shapes) {
    answer_.text += fmt::format("  {}: {}\n", one.kernel, needs_in_words(one));
    json data = {{"kernel", one.kernel}, {"numbers", one.numbers}, {"launches", json::array()}};
    for (const auto& [shape, workloads] : shapes)
      if (kernel_name(shape.kernel) == kernel_name(one.kernel))
        data["launches"].push_back(launch(one, shape, workloads));
    answer_.data["kernels"].push_back(std::move(data));
  }
  Answer finished() && { return std::move(answer_); }

 private:
  json launch(const KernelResources& one, const Shape& shape, const std::vector<std::string>& workloads) {
    json data = {{"threads", shape.threads}, {"dynamic_bytes", shape.dynamic}, {"workloads", workloads}};
    std::string text =
        fmt::format("    {} threads, {} bytes dynamic ({})", shape.threads, shape.dynamic, join(workloads, ", "));
    if (gpu_) {
      const auto found =
          occupancy(*gpu_, {number(one, "registers"), number(one, "local_bytes") + shape.dynamic, shape.threads});
      data["blocks"] = found.blocks;
      data["waves"] = found.waves;
      data["limited_by"] = found.limited_by;
      text += found.blocks == 0
                  ? fmt::format(": CANNOT RUN, {} do not fit", found.limited_by)
                  : fmt::format(": {} blocks, {} of {} {} at once, limited by {}", found.blocks, found.waves,
                                found.most_waves, gpu_->lanes == 32 ? "warps" : "waves", found.limited_by);
      if (found.blocks == 0) answer_.code = ExitCode::No;
    }
    answer_.text += text + "\n";
    return data;
  }

  std::string architecture_;
  std::optional<GpuLimits> gpu_;
  Answer answer_;
};

}  // namespace

Result<Answer> check_for(const Mep& mep, const std::string& architecture, const std::string& candidate,
                         const DeviceChoice& device) {
  const auto language = language_of_architecture(architecture);
  if (!language) return fail("E-ARCH", architecture + " is no architecture of a GPU; they are written sm_86 or gfx90a");
  if (*language != mep.language)
    return fail("E-LANGUAGE", fmt::format("{} is written in {}, and {} takes {}", mep.name, name_of(mep.language),
                                          architecture, name_of(*language)));
  const auto variant = compiled_variant(mep, candidate);
  if (!variant) return fail(variant.error());
  auto choice = device;
  choice.device = architecture;
  auto session = worker::WorkerSessions(choice.options()).start();
  if (!session) return fail(std::move(session).error());
  (*session)->limit(Milliseconds(180'000));
  const auto outcome = (*session)->build(variant->source, variant->options);
  if (const auto* gone = std::get_if<WorkerLost>(&outcome)) return fail("E-WORKER", gone->reason);
  if (const auto* refused = std::get_if<NotBuilt>(&outcome)) {
    Answer answer;
    answer.code = ExitCode::No;
    answer.text = "does not compile for " + architecture + ":\n" + refused->log + "\n";
    answer.data = {{"architecture", architecture}, {"log", refused->log}};
    return answer;
  }
  const auto shapes = shapes_of(mep, *variant, (*session)->device());
  if (!shapes) return fail(shapes.error());
  Report report(architecture, (*session)->device());
  for (const auto& kernel : std::get<Built>(outcome).kernels) report.kernel(kernel, *shapes);
  return std::move(report).finished();
}

}  // namespace hone::app
