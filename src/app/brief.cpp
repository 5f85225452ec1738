// hone brief: what a model would be told of a MEP before anything is tried, for agents and people who hold the loop
// themselves. No held-out size is in it.
#include "app/calls/brief_call.hpp"
#include "app/commands.hpp"

namespace hone::app {

void add_brief(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("brief", "Says what is known of a MEP's kernel and device, as a model is told it");
  auto folder = std::make_shared<std::string>();
  auto device = std::make_shared<DeviceChoice>();
  command->add_option("mep", *folder, "A MEP folder")->required();
  device->add_options(*command);
  choose(command, chosen, [folder, device]() -> Result<Answer> {
    const auto warm = WarmMep::open(*folder, "", {*device, 1, ""});
    if (!warm) return fail(warm.error());
    return brief_of(**warm);
  });
}

}  // namespace hone::app
