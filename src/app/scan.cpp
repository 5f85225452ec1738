// hone scan: the kernels of an application and where it launches them.
#include <fmt/format.h>

#include "app/application.hpp"
#include "app/commands.hpp"
#include "base/text.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

std::string_view name_of(Embedding embedding) {
  switch (embedding) {
    case Embedding::File: return "file";
    case Embedding::StringLiterals: return "string";
    case Embedding::RawString: return "raw string";
  }
  return "file";
}

std::string sizes(const std::vector<std::string>& parts, const char* otherwise) {
  return parts.empty() ? otherwise : "{" + join(parts, ", ") + "}";
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
    answer.data["kernels"].push_back({{"name", kernel.name},
                                      {"file", kernel.file},
                                      {"line", kernel.line},
                                      {"embedding", name_of(kernel.embedding)},
                                      {"language", hone::name_of(kernel.language)},
                                      {"signature", kernel.signature},
                                      {"launches", launches}});
  }
  for (const auto& define : scan.defines) {
    answer.text +=
        fmt::format("-D{}={}  {}{}\n", define.name, define.value, define.place, define.inferred ? " (inferred)" : "");
    answer.data["defines"].push_back(
        {{"name", define.name}, {"value", define.value}, {"place", define.place}, {"inferred", define.inferred}});
  }
  for (const auto& note : scan.notes) answer.text += "note: " + note + "\n";
  return answer;
}

}  // namespace

void add_scan(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("scan", "Lists the kernels of an application and where it launches them");
  auto folder = std::make_shared<std::string>();
  command->add_option("dir", *folder, "The application's folder")->required();
  choose(command, chosen, [folder]() -> Result<Answer> {
    const auto files = read_application(*folder);
    if (!files) return fail(files.error());
    const auto scan = source::scan(*files);
    if (!scan) return fail(scan.error());
    return describe(*scan, *files);
  });
}

}  // namespace hone::app
