// hone optimize: all of it, ending with a patch to review.
#include "app/commands.hpp"
#include "app/pipeline.hpp"

namespace hone::app {

void add_optimize(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("optimize", "Makes a kernel faster, proves it and writes a patch");
  auto request = std::make_shared<OptimizeRequest>();
  command->add_option("input", request->input, "An application's folder, or a MEP folder")->required();
  command->add_option("--kernel", request->kernel, "The kernel's name");
  add_completion_options(*command, request->completion);
  request->improve.add_options(*command);
  add_model_options(*command, request->improve.model);
  command->add_option("--rounds", request->improve.rounds, "Rounds at most; 0: as many as the budget lets")
      ->capture_default_str();
  command
      ->add_option("--candidates", request->improve.candidates,
                   "Templates per proposer and round at most; fewer when the budget is short")
      ->capture_default_str();
  command->add_flag("!--no-rules", request->improve.rules, "Do not let the rules propose");
  command->add_flag("!--no-plan", request->improve.plan, "Do not ask the model for directions before its candidates");
  command->add_flag("--direct", request->improve.direct,
                    "For comparison: the model gets one question, and its answer is judged as it is");
  command->add_flag("!--no-template", request->improve.searched,
                    "For comparison: parameters of answers are not searched");
  command->add_flag("!--no-repair", request->improve.repair, "For comparison: nothing that failed goes back");
  command->add_flag("!--no-inherit", request->improve.inherit,
                    "For comparison: the model is not told what paid off before");
  command->add_flag("!--no-profile", request->improve.profile,
                    "For comparison: the model is not told what was measured");
  command->add_option("--recording", request->improve.recording,
                      "Folder of the run's recording; in the state folder when absent and a model is asked");
  command->add_flag("--replay{all}", request->improve.replay,
                    "Take answers and measurements from the recording; =measure: the answers alone");
  command->add_option("--patch", request->patch_file, "Where to write the diff; printed when absent");
  command->add_flag("--write", request->write, "Change the application's files");
  command->add_option("--validate", request->validate, "A shell command that must pass before and after the change");
  command->add_flag("--keep-launch", request->keep_launch,
                    "Change the kernel's text alone: it maps the work-items of the launch as it is to the new work");
  command->add_flag("--per-shape", request->per_shape,
                    "With several --shape: the patch chooses the configuration by size, the general one for the rest");
  command->add_option("--for", request->architecture,
                      "Where a CUDA or HIP kernel finds no GPU: what to compile the candidates for (sm_80 or gfx90a "
                      "when absent); nothing is timed then");
  command->add_option("--keep-mep", request->keep_mep, "Where to keep the MEP that was made");
  choose(command, chosen, [request, &chosen] {
    Console console(chosen.json);
    return optimize(*request, console);
  });
}

}  // namespace hone::app
