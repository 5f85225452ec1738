// hone scan: the kernels of an application and where it launches them.
#include <fmt/format.h>

#include <algorithm>

#include "app/application.hpp"
#include "app/commands.hpp"
#include "app/scanning.hpp"
#include "app/unit_store.hpp"
#include "base/text.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

std::string_view name_of(Embedding embedding) {
  switch (embedding) {
    case Embedding::File: return "file";
    case Embedding::StringLiterals: return "string";
    case Embedding::RawString: return "raw string";
    case Embedding::Stringized: return "macro block";
    case Embedding::Python: return "Python string";
  }
  return "file";
}

std::string sizes(const std::vector<std::string>& parts, const char* otherwise) {
  return parts.empty() ? otherwise : "{" + join(parts, ", ") + "}";
}

std::string_view name_of(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Seen: return "seen";
    case Provenance::Kind::Inferred: return "inferred";
    case Provenance::Kind::Guessed: return "guessed";
    case Provenance::Kind::Set: return "set";
  }
  return "guessed";
}

std::vector<std::string> printed(const std::vector<Expression>& sizes) {
  std::vector<std::string> out;
  for (const auto& size : sizes) out.push_back(size.print());
  return out;
}

std::string value_of(const HostArgument& argument) {
  using Kind = HostArgument::Kind;
  if (argument.kind == Kind::Unknown) return "? (" + argument.reason + ")";
  if (argument.kind == Kind::Local) return "local " + argument.value.print() + " bytes";
  if (argument.kind != Kind::Struct) return argument.value.print();
  std::vector<std::string> fields;
  for (const auto& [name, value] : argument.fields) fields.push_back(name + "=" + value.print());
  return "{" + join(fields, ", ") + "}";
}

/// Launches of the kernel as they were followed, each way once.
void followed(const std::vector<HostStep>& steps, const std::string& kernel, std::vector<HostLaunch>& out) {
  for (const auto& step : steps) {
    if (const auto* loop = std::get_if<HostLoop>(&step)) {
      followed(loop->body, kernel, out);
      continue;
    }
    const auto& launch = std::get<HostLaunch>(step);
    if (launch.kernel == kernel && std::ranges::find(out, launch) == out.end()) out.push_back(launch);
  }
}

json describe_launch(const HostLaunch& launch, std::string& text) {
  std::vector<std::string> arguments;
  json values = json::object();
  for (const auto& [position, argument] : launch.arguments) {
    arguments.push_back(value_of(argument));
    values[std::to_string(position)] = {{"value", value_of(argument)},
                                        {"provenance", name_of(argument.provenance.kind)}};
  }
  text +=
      fmt::format("    {}({}) global {}, local {}{}{}\n", launch.kernel, join(arguments, ", "),
                  sizes(printed(launch.global), "not followed"),
                  sizes(printed(launch.local), launch.local_is_null ? "NULL" : "not followed"),
                  launch.sizes.kind == Provenance::Kind::Seen ? "" : fmt::format(" ({})", name_of(launch.sizes.kind)),
                  launch.condition.empty() ? "" : ", " + launch.condition);
  for (const auto& reason : launch.reasons) text += "      not followed: " + reason + "\n";
  return {{"place", launch.place},
          {"global", printed(launch.global)},
          {"local", printed(launch.local)},
          {"local_is_null", launch.local_is_null},
          {"provenance", name_of(launch.sizes.kind)},
          {"condition", launch.condition},
          {"arguments", values},
          {"not_followed", launch.reasons}};
}

Answer describe(const source::Scan& scan, const Files& files) {
  Answer answer;
  answer.data = {{"kernels", json::array()}, {"defines", json::array()}, {"notes", scan.notes}};
  for (const auto& kernel : scan.kernels) {
    json launches = json::array();
    answer.text += fmt::format("{}  {}:{}  ({})\n  {}\n", kernel.name, kernel.file, kernel.line,
                               name_of(kernel.embedding), kernel.signature);
    for (const auto& site : scan.launches) {
      if (site.kernel != kernel.name) continue;
      const auto text = files.find(site.file);
      const auto line = text == files.end() ? 0 : line_of(text->second, site.call.begin);
      answer.text += fmt::format("  launched at {}:{} in {}, global {}, local {}\n", site.file, line, site.function,
                                 sizes(site.global, "not followed"),
                                 sizes(site.local, site.local_is_null ? "NULL" : "not followed"));
      launches.push_back({{"file", site.file},
                          {"line", line},
                          {"function", site.function},
                          {"global", site.global},
                          {"local", site.local},
                          {"local_is_null", site.local_is_null}});
    }
    std::vector<HostLaunch> runs;
    for (const auto& program : scan.programs) followed(program.steps, kernel.name, runs);
    json followed_runs = json::array();
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      std::string line;
      followed_runs.push_back(describe_launch(runs[i], line));
      if (i < shown) answer.text += line;
    }
    if (runs.size() > shown) answer.text += fmt::format("    and {} more\n", runs.size() - shown);
    answer.data["kernels"].push_back({{"name", kernel.name},
                                      {"file", kernel.file},
                                      {"line", kernel.line},
                                      {"embedding", name_of(kernel.embedding)},
                                      {"language", hone::name_of(kernel.language)},
                                      {"signature", kernel.signature},
                                      {"launches", launches},
                                      {"followed", followed_runs}});
  }
  for (const auto& define : scan.defines) {
    answer.text +=
        fmt::format("-D{}={}  {}{}\n", define.name, define.value, define.place, define.inferred ? " (inferred)" : "");
    answer.data["defines"].push_back(
        {{"name", define.name}, {"value", define.value}, {"place", define.place}, {"inferred", define.inferred}});
  }
  answer.data["explained"] = scan.explained;
  for (const auto& note : scan.explained) answer.text += note + "\n";
  for (const auto& note : scan.notes) answer.text += "note: " + note + "\n";
  return answer;
}

}  // namespace

Result<Answer> scan_application(const std::string& folder, Console& console) {
  const auto files = read_application(folder);
  if (!files) return fail(files.error());
  FolderUnits units;
  const auto progress = [&](std::size_t done, std::size_t all) {
    console.progress([&](std::size_t) { return fmt::format("reading host code: {} of {} files", done, all); });
  };
  const auto scan = source::scan(*files, {}, {&units, progress});
  console.clear_progress();
  if (!scan) return fail(scan.error());
  return describe(*scan, *files);
}

void add_scan(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("scan", "Lists the kernels of an application and where it launches them");
  auto folder = std::make_shared<std::string>();
  command->add_option("dir", *folder, "The application's folder")->required();
  choose(command, chosen, [folder, &chosen]() -> Result<Answer> {
    Console console(chosen.json);
    return scan_application(*folder, console);
  });
}

}  // namespace hone::app
