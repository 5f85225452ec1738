// hone devices: what runs here, what it can do at best, what expressions may ask of it, and which parts of the sandbox
// hold.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/device_speed.hpp"
#include "app/self_test.hpp"
#include "app/setting.hpp"
#include "worker/ceilings.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

json as_json(const Value& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

Answer describe(const worker::Inventory& inventory) {
  Answer answer;
  answer.data = {{"devices", json::array()}, {"sandbox", json::array()}};
  for (const auto& device : inventory.devices) {
    json facts = json::object();
    answer.text += fmt::format("{:<14} {}  ({}, driver {})\n", device.id, device.name, device.kind, device.driver);
    for (const auto& [name, value] : device.facts) {
      facts[name] = as_json(value);
      answer.text += fmt::format("  device.{:<28} {}\n", name, print(value));
    }
    answer.data["devices"].push_back(
        {{"id", device.id}, {"name", device.name}, {"driver", device.driver}, {"kind", device.kind}, {"facts", facts}});
  }
  answer.text += "sandbox of the worker\n";
  for (const auto& part : inventory.sandbox.parts) {
    answer.text +=
        fmt::format("  {:<18} {:<13} {}\n", part.name, part.enforced ? "enforced" : "NOT enforced", part.means);
    if (!part.remedy.empty()) answer.text += fmt::format("  {:<18} {:<13} to get it: {}\n", "", "", part.remedy);
    answer.data["sandbox"].push_back(
        {{"part", part.name}, {"enforced", part.enforced}, {"means", part.means}, {"remedy", part.remedy}});
  }
  if (inventory.devices.empty()) {
    answer.code = ExitCode::No;
    answer.text = "no device here\n  next: apt-get install pocl-opencl-icd (this processor), or the driver of a GPU\n" +
                  answer.text;
  }
  return answer;
}

std::string sized(Bytes size) {
  return size.count >= mebibytes(1).count ? fmt::format("{} MiB", size.count >> 20U)
                                          : fmt::format("{} KiB", size.count >> 10U);
}

std::string described(const Ceilings& ceilings) {
  std::string text = "  at best\n";
  for (const auto& point : ceilings.bandwidth)
    text += fmt::format("    {:>8} of data    {:8.1f} GB/s\n", sized(point.footprint), point.bytes_per_second * 1e-9);
  for (const auto& [type, rate] : ceilings.flops)
    text += fmt::format("    {:<16}    {:8.1f} GFLOP/s\n", type, rate * 1e-9);
  text += fmt::format("    one launch more     {:8.1f} us\n", ceilings.launch_overhead.count() * 1e-3);
  return text + fmt::format("    noise of the timer  {:8.1f} us\n", ceilings.timer_noise.count() * 1e-3);
}

/// Measured once per device and driver; a device that cannot be measured is still listed.
void add_ceilings(const DeviceChoice& choice, const DeviceInfo& device, const std::string& state, Answer& answer) {
  auto options = choice.options();
  options.device = device.id;
  auto session = worker::WorkerSessions(options).start();
  if (!session) return;
  const auto ceilings = worker::ceilings_of(**session, ceilings_file(state, device));
  answer.text += fmt::format("{} {}\n", device.id, device.name) +
                 (ceilings ? described(*ceilings) : ceilings.error().text() + "\n");
  if (ceilings) answer.data["ceilings"][device.id] = json::parse(worker::to_json_text(*ceilings));
}

/// The device that was chosen, or all of them.
Result<Answer> tested(const DeviceChoice& choice) {
  std::vector<std::string> ids = {choice.device};
  if (choice.device.empty()) {
    const auto inventory = worker::take_inventory(choice.options());
    if (!inventory) return fail(inventory.error());
    ids.clear();
    for (const auto& device : inventory->devices) ids.push_back(device.id);
    if (ids.empty()) return describe(*inventory);
  }
  Answer answer;
  answer.data = {{"devices", json::array()}};
  for (const auto& id : ids) {
    const auto test = self_test(choice, id);
    if (!test) return fail(test.error());
    if (!test->passed()) answer.code = ExitCode::No;
    answer.text += in_words(*test);
    json steps = json::array();
    for (const auto& step : test->steps)
      steps.push_back(
          {{"step", step.name}, {"ok", step.problem.empty()}, {"problem", step.problem}, {"note", step.note}});
    answer.data["devices"].push_back({{"id", test->device.id}, {"passed", test->passed()}, {"steps", steps}});
  }
  return answer;
}

}  // namespace

void add_devices(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("devices", "Lists devices, what is known of them, and what the sandbox enforces");
  auto choice = std::make_shared<DeviceChoice>();
  choice->add_options(*command);
  auto listed_only = std::make_shared<bool>(false);
  command->add_flag("--quick", *listed_only, "List only; do not measure what the devices can do");
  auto testing = std::make_shared<bool>(false);
  command->add_flag("--self-test", *testing,
                    "Ask everything a worker can be asked of the device (or of each), with answers that are known");
  choose(command, chosen, [choice, listed_only, testing]() -> Result<Answer> {
    if (*testing) return tested(*choice);
    const auto inventory = worker::take_inventory(choice->options());
    if (!inventory) return fail(inventory.error());
    auto answer = describe(*inventory);
    const auto state = state_folder();
    if (*listed_only || !state) return answer;
    for (const auto& device : inventory->devices)
      if (choice->device.empty() || choice->device == device.id) add_ceilings(*choice, device, *state, answer);
    return answer;
  });
}

}  // namespace hone::app
