// hone devices: what runs here, what expressions may ask of it, and which parts of the sandbox hold.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/setting.hpp"

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
    answer.text = "no OpenCL device here\n  next: apt-get install pocl-opencl-icd\n" + answer.text;
  }
  return answer;
}

}  // namespace

void add_devices(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("devices", "Lists devices, what is known of them, and what the sandbox enforces");
  auto choice = std::make_shared<DeviceChoice>();
  choice->add_options(*command);
  choose(command, chosen, [choice]() -> Result<Answer> {
    const auto inventory = worker::take_inventory(choice->options());
    if (!inventory) return fail(inventory.error());
    return describe(*inventory);
  });
}

}  // namespace hone::app
