// hone show: a MEP, a template, or a kernel as Hone understands it.
#include <fmt/format.h>

#include <filesystem>

#include "affine/view.hpp"
#include "app/commands.hpp"
#include "app/setting.hpp"
#include "app/show_variant.hpp"
#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "core/provenance_text.hpp"
#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "os/files.hpp"
#include "source/lift.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

std::string listed(const std::vector<Expression>& sizes) {
  std::vector<std::string> parts;
  for (const auto& size : sizes) parts.push_back(size.print());
  return "(" + join(parts, ", ") + ")";
}

/// Each launch with what it binds, and how each of that is known.
std::string launches_text(const Workload& workload) {
  std::string out;
  each_launch(workload.launches, [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    out += "  launch ";
    for (const auto* loop : loops)
      out += fmt::format("for {} in {}..{}: ", print_name(loop->variable), loop->begin.print(), loop->end.print());
    out += fmt::format("{} {}{} ({})\n", launch.kernel, listed(launch.global),
                       launch.local.empty() ? "" : " in groups of " + listed(launch.local), print(launch.sizes));
    for (const auto& [name, binding] : launch.arguments)
      out += fmt::format("    {} = {} ({})\n", name, binding.fields.empty() ? binding.value.print() : "{...}",
                         print(binding.from));
  });
  return out;
}

Answer show_mep(const Mep& mep) {
  Answer answer;
  answer.text = fmt::format("MEP {} ({}), fidelity {}", mep.name, name_of(mep.language), mep.fidelity.values);
  if (mep.fidelity.mutants_total == 0)
    answer.text += ", mutants not measured";
  else
    answer.text += fmt::format(", {} of {} mutants killed", mep.fidelity.mutants_killed, mep.fidelity.mutants_total);
  answer.text += "\n";
  for (const auto& reason : mep.fidelity.reasons) answer.text += "  " + reason + "\n";
  for (const auto& e : mep.contract) answer.text += "  contract: " + e.print() + "\n";
  for (const auto& b : mep.buffers)
    answer.text +=
        fmt::format("  buffer {}: {} x {}, {} ({})\n", b.name, b.extent.print(), b.type, b.fill, print(b.from));
  for (const auto& i : mep.images)
    answer.text += fmt::format("  image {}: {} x {} ({})\n", i.name, i.width.print(), i.height.print(), print(i.from));
  for (const auto& [name, from] : mep.defines) answer.text += fmt::format("  macro {} ({})\n", name, print(from));
  for (const auto& w : mep.workloads) {
    std::vector<std::string> scalars;
    for (const auto& [name, value] : w.scalars) {
      const auto from = w.from.find(name);
      scalars.push_back(
          fmt::format("{}={} ({})", name, print(value), print(from == w.from.end() ? stated() : from->second)));
    }
    answer.text += fmt::format("  workload {} ({}): {}\n", w.name, name_of(w.role), join(scalars, " "));
  }
  if (const auto* tune = find_workload(mep, Role::Tune)) answer.text += launches_text(*tune);
  answer.data = {{"kind", "mep"},
                 {"name", mep.name},
                 {"language", name_of(mep.language)},
                 {"toml", to_toml(mep)},
                 {"source", mep.source}};
  return answer;
}

Answer show_template(const Template& t) {
  Answer answer;
  answer.text = fmt::format("template {}: {}\n", t.name, t.rationale);
  for (const auto& step : t.schedule) answer.text += "  " + print(step) + "\n";
  for (const auto& p : t.space.parameters) {
    std::vector<std::string> values;
    for (const auto& v : p.values) values.push_back(print(v));
    answer.text += fmt::format("  {} in [{}], default {}\n", p.name, join(values, ", "), print(p.default_value));
  }
  for (const auto& c : t.space.constraints) answer.text += fmt::format("  {}: {}\n", c.name, c.condition.print());
  answer.data = {{"kind", "template"}, {"name", t.name}, {"toml", to_toml(t)}, {"source", t.source}};
  return answer;
}

Result<ir::Dialect> dialect_of(const std::string& file) {
  const auto extension = std::filesystem::path(file).extension();
  if (extension == ".cl") return ir::Dialect::OpenCL;
  if (extension == ".cu" || extension == ".cuh") return ir::Dialect::Cuda;
  if (extension == ".hip") return ir::Dialect::Hip;
  return fail("E-SHOW", file + " is neither a MEP, a template nor a .cl, .cu or .hip file", "hone show FILE --ir");
}

std::string describe_accesses(const ir::Unit& unit, const ir::NodePtr& kernel, json& data) {
  const auto view = affine::analyse(unit, kernel);
  std::string out;
  for (const auto& access : view.accesses) {
    const auto index = access.index ? access.index->print() : "not understood";
    const auto direction = access.direction == affine::Direction::Read    ? "reads"
                           : access.direction == affine::Direction::Write ? "writes"
                                                                          : "updates";
    out += fmt::format("  {} {}[{}]\n", direction, access.array, index);
    data.push_back({{"array", access.array}, {"direction", direction}, {"index", index}});
  }
  return out;
}

Result<Answer> show_kernels(const std::string& file, bool ir, const std::vector<std::string>& defines) {
  const auto dialect = dialect_of(file);
  if (!dialect) return fail(dialect.error());
  const auto text = os::read_text(file);
  if (!text) return fail(text.error());
  ir::LiftOptions options;
  options.file_name = file;
  for (const auto& define : defines) {
    const auto equals = define.find('=');
    options.defines[define.substr(0, equals)] = equals == std::string::npos ? "1" : define.substr(equals + 1);
  }
  const auto unit = source::ClangLifter().lift(*text, *dialect, options);
  if (!unit) return fail(unit.error());
  Answer answer;
  answer.data = {{"kind", "kernels"}, {"file", file}, {"kernels", json::array()}, {"notes", unit->notes}};
  if (ir) {
    answer.text = ir::describe(*unit);
    answer.data["ir"] = answer.text;
    return answer;
  }
  for (const auto& kernel : ir::kernels_of(*unit)) {
    json accesses = json::array();
    answer.text += fmt::format("kernel {}\n{}", kernel->text, describe_accesses(*unit, kernel, accesses));
    answer.data["kernels"].push_back({{"name", kernel->text}, {"accesses", accesses}});
  }
  for (const auto& note : unit->notes) answer.text += "note: " + note + "\n";
  if (answer.data["kernels"].empty()) answer.text += "no kernel in " + file + "\n";
  return answer;
}

}  // namespace

void add_show(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("show", "Shows a MEP, a template, or a kernel as Hone understands it");
  auto path = std::make_shared<std::string>();
  auto ir = std::make_shared<bool>(false);
  auto defines = std::make_shared<std::vector<std::string>>();
  command->add_option("file", *path, "A MEP folder, a template folder, or a .cl, .cu or .hip file")->required();
  command->add_flag("--ir", *ir, "The kernel's tree");
  command->add_option("-D", *defines, "NAME=VALUE as the application's build defines it");
  auto mep_folder = std::make_shared<std::string>();
  auto at = std::make_shared<std::vector<std::string>>();
  command->add_option("--mep", *mep_folder, "With a template: the MEP it is for; prints the variant of --at");
  command->add_option("--at", *at, "NAME=VALUE,...: parameters that are not at their default")->delimiter(',');
  choose(command, chosen, [path, ir, defines, mep_folder, at]() -> Result<Answer> {
    namespace fs = std::filesystem;
    if (!mep_folder->empty()) return show_variant(*path, *mep_folder, *at);
    if (!fs::exists(*path)) return fail("E-FILE", *path + ": no such file or folder");
    if (fs::exists(fs::path(*path) / "template.toml")) {
      const auto loaded = load_template(*path);
      if (!loaded) return fail(loaded.error());
      return show_template(*loaded);
    }
    if (!fs::is_directory(*path)) return show_kernels(*path, *ir, *defines);
    const auto mep = load_mep(*path);
    if (!mep) return fail(mep.error());
    if (*ir) return show_kernels(*path + "/kernel" + std::string(source_extension(mep->language)), true, *defines);
    return show_mep(*mep);
  });
}

}  // namespace hone::app
