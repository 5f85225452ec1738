#include "agents/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "agents/declarations.hpp"
#include "agents/describe.hpp"
#include "agents/prompt_text.hpp"
#include "agents/reply.hpp"
#include "base/text.hpp"
#include "core/toml_reader.hpp"
#include "embedded/hone_agents.hpp"

namespace hone::agents {
namespace {

constexpr std::size_t largest_manifest = std::size_t{64} << 10U;
constexpr std::size_t most_names = 64, most_launches = 64;

std::map<std::string, Expression> expressions_in(const toml::table* node, const std::string& where,
                                                 TomlFaults& faults) {
  std::map<std::string, Expression> out;
  if (node == nullptr) return out;
  TomlTable table(*node, where, faults);
  for (const auto& name : table.all_keys()) out.insert_or_assign(name, table.expression(name));
  return out;
}

/// A number, or a name: whatever else it is, it is no value but more words for a compiler.
bool is_plain_value(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' || c == '-';
  }) && text.front() != '-';
}

bool is_generator(std::string_view text) {
  constexpr std::string_view others = "_(),.:;+-*/% []";
  return text.size() <= 400 && std::ranges::all_of(text, [&](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || others.find(c) != std::string_view::npos;
         });
}

std::vector<ProposedLaunch> launches_in(TomlTable& table, TomlFaults& faults) {
  std::vector<ProposedLaunch> out;
  for (const auto* node : table.tables("launch")) {
    TomlTable one(*node, "[[launch]]", faults);
    ProposedLaunch launch;
    launch.kernel = one.text("kernel");
    launch.global = one.expressions("global");
    if (one.has("local")) launch.local = one.expressions("local");
    launch.arguments = expressions_in(one.table("arguments"), "[launch.arguments]", faults);
    launch.loop = one.text("loop", false);
    if (!launch.loop.empty()) {
      launch.begin = one.expression("begin");
      launch.end = one.expression("end");
    }
    out.push_back(std::move(launch));
  }
  return out;
}

std::optional<std::string> fault_in(const Completion& value, const Extraction& extraction) {
  const auto is_name = [](const auto& entry) { return is_identifier(entry.first); };
  for (const auto& [name, text] : value.defines) {
    if (!is_identifier(name)) return fmt::format("`{}` in [define] is no name", one_line(name, 80));
    if (!is_plain_value(text)) return fmt::format("the value of {} in [define] is neither a number nor a name", name);
  }
  if (!std::ranges::all_of(value.set, is_name)) return "a key of [set] is no name";
  if (!std::ranges::all_of(value.bytes, is_name)) return "a key of [bytes] is no name";
  for (const auto& [name, fill] : value.fills)
    if (!is_identifier(name) || !is_generator(fill)) return fmt::format("[fill] of `{}` is none", one_line(name, 80));
  for (const auto& launch : value.launches) {
    if (std::ranges::find(extraction.kernels, launch.kernel) == extraction.kernels.end())
      return fmt::format("[[launch]] names `{}`, which is no kernel here; there {} {}", one_line(launch.kernel, 80),
                         extraction.kernels.size() == 1 ? "is" : "are", join(extraction.kernels, ", "));
    if (launch.global.empty() || launch.global.size() > 3) return "a [[launch]] has one to three global sizes";
    if (!launch.local.empty() && launch.local.size() != launch.global.size())
      return "a [[launch]] has as many local sizes as global ones, or none";
    if (!launch.loop.empty() && !is_identifier(launch.loop)) return "the `loop` of a [[launch]] is a variable's name";
    if (!std::ranges::all_of(launch.arguments, is_name)) return "a key of [launch.arguments] is no name";
  }
  const auto names = value.set.size() + value.defines.size() + value.bytes.size() + value.fills.size();
  if (names > most_names) return "that is more than a kernel can need";
  if (value.launches.size() > most_launches) return "that is more launches than are made; use `loop`";
  return fault_in_declarations(value, extraction);
}

Result<Completion> read_manifest(const std::string& text) {
  if (text.size() > largest_manifest) return fail("E-REPLY", "the TOML is longer than 64 KiB");
  Completion out;
  try {
    const auto parsed = toml::parse(text);
    TomlFaults faults("the answer");
    {
      TomlTable table(parsed, "the answer", faults);
      out.rationale = table.text("rationale", false);
      if (const auto* node = table.table("set")) {
        TomlTable set(*node, "[set]", faults);
        for (const auto& name : set.all_keys()) {
          const auto value = set.value(name);
          const bool number =
              value && (std::holds_alternative<std::int64_t>(*value) || std::holds_alternative<double>(*value));
          if (!number)
            set.fault(name, "is a number");
          else
            out.set[name] = *value;
        }
      }
      if (const auto* node = table.table("define")) {
        TomlTable defines(*node, "[define]", faults);
        for (const auto& name : defines.all_keys()) {
          const auto value = defines.value(name);
          const auto* words = value ? std::get_if<std::string>(&*value) : nullptr;
          out.defines[name] = words != nullptr ? *words : value ? print(*value) : std::string();
        }
      }
      out.bytes = expressions_in(table.table("bytes"), "[bytes]", faults);
      if (const auto* node = table.table("fill")) {
        TomlTable fills(*node, "[fill]", faults);
        for (const auto& name : fills.all_keys()) out.fills[name] = fills.text(name);
      }
      out.launches = launches_in(table, faults);
    }
    if (faults.first()) return fail("E-REPLY", faults.first()->message());
  } catch (const toml::parse_error& e) {
    return fail("E-REPLY", fmt::format("the TOML cannot be read: line {}: {}", e.source().begin.line, e.description()));
  }
  return out;
}

std::string launch_words(const HostLaunch& launch) {
  std::vector<std::string> arguments, global, local;
  for (const auto& [position, argument] : launch.arguments)
    arguments.push_back(fmt::format(
        "{}: `{}`{}", position, one_line(argument.text, 60),
        argument.kind == HostArgument::Kind::Unknown ? " (not followed: " + one_line(argument.reason, 100) + ")" : ""));
  for (const auto& size : launch.global) global.push_back(size.print());
  for (const auto& size : launch.local) local.push_back(size.print());
  return fmt::format("- `{}` is launched at {}; global ({}), local ({}); arguments by position: {}", launch.kernel,
                     one_line(launch.place, 100), global.empty() ? "not followed" : one_line(join(global, ", ")),
                     local.empty() ? "not said" : one_line(join(local, ", ")),
                     arguments.empty() ? "none" : join(arguments, "; "));
}

void add_steps(const std::vector<HostStep>& steps, std::vector<std::string>& lines) {
  for (const auto& step : steps) {
    if (const auto* launch = std::get_if<HostLaunch>(&step)) {
      lines.push_back(launch_words(*launch));
      for (const auto& reason : launch->reasons) lines.push_back("- not followed there: " + one_line(reason, 200));
    } else {
      const auto& loop = std::get<HostLoop>(step);
      lines.push_back(
          fmt::format("- in a loop over {} from {} to {}:", loop.variable, loop.begin.print(), loop.end.print()));
      add_steps(loop.body, lines);
    }
  }
}

std::string known_of(const Extraction& extraction) {
  std::vector<std::string> lines;
  add_steps(extraction.host.steps, lines);
  for (const auto& [name, value] : extraction.host.symbols)
    lines.push_back(
        fmt::format("- `{}` {}", one_line(name, 80), value ? "starts as " + print(*value) : "is not known"));
  for (const auto& buffer : extraction.host.buffers)
    lines.push_back(fmt::format("- buffer `{}`: {}", one_line(buffer.name, 80),
                                buffer.bytes ? one_line(buffer.bytes->print(), 200) + " bytes" : "size not followed"));
  for (const auto& define : extraction.defines)
    lines.push_back(fmt::format("- macro `{}` is {}", one_line(define.name, 80), one_line(define.value, 80)));
  for (const auto& note : extraction.notes) lines.push_back("- " + one_line(note, 300));
  for (auto& line : lines) line = without_controls(line);
  return lines.empty() ? "Nothing: no code was found that launches it." : join(lines, "\n");
}

std::string lines_of(const std::vector<std::string>& lines, const std::string& none) {
  std::string out;
  for (const auto& line : lines) out += "- " + one_line(line, 400) + "\n";
  return out.empty() ? none : out;
}

}  // namespace

std::string completion_prompt(const CompletionTask& task) {
  return fill_in(embedded::prompts_complete_md,
                 {{"language", std::string(name_of(task.extraction.language))},
                  {"source", fenced(numbered_lines(task.extraction.source), fence_name(task.extraction.language))},
                  {"known", known_of(task.extraction)},
                  {"missing", fenced(task.missing, "text")},
                  {"limits", lines_of(task.limits, "None.")},
                  {"earlier", lines_of(task.earlier, "Nothing yet.")}});
}

std::string completion_repair_prompt(const std::string& asked, const std::string& answer, const std::string& error) {
  return format_prompt(asked, answer, error);
}

Result<Completion> completion_in(const std::string& reply, const Extraction& extraction) {
  Completion out;
  bool any = false;
  std::optional<Error> last;
  std::string stubs;
  for (const auto& block : fenced_blocks(reply)) {
    const bool code = block.info.find("toml") == std::string::npos && !block.info.empty() && block.info != "text";
    if (code) {
      stubs = block.text;
      continue;
    }
    auto read = read_manifest(block.text);
    if (!read) {
      last = read.error();
      continue;
    }
    out = std::move(*read);
    any = true;
  }
  out.stubs = std::move(stubs);
  if (!any && last) return fail(*last);
  if (!any && out.stubs.empty()) return fail("E-REPLY", "there is no fenced block of TOML in it");
  if (const auto fault = fault_in(out, extraction)) return fail("E-REPLY", *fault);
  return out;
}

}  // namespace hone::agents
