#include "source/host/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "source/host/choose.hpp"
#include "source/host/contained.hpp"

namespace hone::host {
namespace {

std::vector<HostStep> steps_of(const std::vector<Event>& events) {
  std::vector<HostStep> out;
  for (const auto& event : events) {
    if (event.kind == Event::Kind::Launch) out.emplace_back(event.launch);
    if (event.kind != Event::Kind::Loop) continue;
    HostLoop loop;
    loop.variable = event.variable;
    loop.begin = event.begin;
    loop.end = event.end;
    loop.body = steps_of(event.body);
    if (!loop.body.empty()) out.emplace_back(std::move(loop));
  }
  return out;
}

HostProgram program_of(const Trace& trace) {
  HostProgram out;
  out.function = trace.function;
  out.steps = steps_of(trace.events);
  out.buffers = trace.buffers;
  out.symbols = trace.symbols;
  out.symbol_provenance = trace.symbol_provenance;
  out.host_steps = trace.host_steps;
  out.notes = trace.notes;
  return out;
}

/// What a unit's tree depends on: how it is parsed, and the bytes of all it is made of.
std::string key_of(const Files& application, const UnitRequest& request) {
  std::string all = request.file + "\n" + std::to_string(static_cast<int>(request.tongue)) + "\n" +
                    hone::join(request.options, " ") + "\n" + hone::join(request.include_folders, " ") + "\n";
  for (const auto& file : request.reads) {
    const auto found = application.find(file);
    if (found != application.end()) all += file + "\n" + sha256(found->second) + "\n";
  }
  return sha256(all);
}

std::vector<Unit> parse_all(const Files& application, const std::vector<UnitRequest>& requests, const ReadPorts& ports,
                            const ReadLimits& limits, std::vector<std::string>& notes) {
  ContainedLimits contain;
  contain.each = limits.parse_each;
  contain.total = limits.parse_all;
  contain.parallel = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
  std::vector<Contained> answers(requests.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto known = ports.units != nullptr ? ports.units->find(key_of(application, requests[i])) : std::nullopt;
    if (known)
      answers[i].bytes = std::move(*known);
    else
      open.push_back(i);
  }
  if (ports.progress)
    contain.finished = [&](std::size_t done) { ports.progress(requests.size() - open.size() + done, requests.size()); };
  auto parsed = contained(
      open.size(), [&](std::size_t i) { return to_bytes(parse_unit(application, requests[open[i]])); }, contain);
  for (std::size_t i = 0; i < open.size(); ++i) {
    answers[open[i]] = std::move(parsed[i]);
    const auto& answer = answers[open[i]];
    if (ports.units != nullptr && answer.problem.empty() && !answer.bytes.empty())
      ports.units->keep(key_of(application, requests[open[i]]), answer.bytes);
  }
  std::vector<Unit> out;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    auto unit = unit_from_bytes(answers[i].bytes);
    if (unit && answers[i].problem.empty()) {
      out.push_back(std::move(*unit));
    } else {
      notes.push_back(fmt::format("{}: not read: Clang {}", requests[i].file,
                                  answers[i].problem.empty() ? "gave no answer" : answers[i].problem));
    }
  }
  return out;
}

/// Launches that stand in a tree, by line.
void launches_in(const Unit& unit, const Node& node, std::map<std::string, std::string>& out,
                 const std::string& function) {
  const bool api = node.kind == Kind::Launch ||
                   ((node.kind == Kind::Call || node.kind == Kind::MethodCall) &&
                    find_row(node.kind, node.text) != nullptr && find_row(node.kind, node.text)->launches);
  if (api && node.place.file >= 0)
    out.emplace(unit.files[static_cast<std::size_t>(node.place.file)] + ":" + std::to_string(node.place.line),
                function);
  for (const auto& part : node.parts) launches_in(unit, part, out, function);
}

std::string size_list(const std::vector<Expression>& sizes) {
  std::vector<std::string> out;
  for (const auto& size : sizes) out.push_back(size.print());
  return "{" + hone::join(out, ", ") + "}";
}

std::string_view kind_name(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Seen: return "seen";
    case Provenance::Kind::Inferred: return "inferred";
    case Provenance::Kind::Guessed: return "guessed";
    case Provenance::Kind::Set: return "set";
  }
  return "";
}

std::string argument_text(const HostArgument& argument) {
  using AK = HostArgument::Kind;
  switch (argument.kind) {
    case AK::Buffer: return "buffer " + argument.value.print();
    case AK::Image: return "image " + argument.value.print();
    case AK::Sampler: return "sampler " + argument.value.print();
    case AK::Scalar: return argument.value.print();
    case AK::Local: return "local " + argument.value.print() + " bytes";
    case AK::Struct: {
      std::vector<std::string> fields;
      for (const auto& [name, value] : argument.fields) fields.push_back(name + "=" + value.print());
      return "struct {" + hone::join(fields, ", ") + "}";
    }
    case AK::Unknown: return "unknown: " + argument.reason;
  }
  return {};
}

void print_events(const std::vector<Event>& events, const std::string& indent, std::string& out) {
  for (const auto& event : events) {
    switch (event.kind) {
      case Event::Kind::CopyIn: out += indent + "write " + event.note + "\n"; break;
      case Event::Kind::CopyOut: out += indent + "read " + event.note + "\n"; break;
      case Event::Kind::Loop:
        out += fmt::format("{}for {} in {}..{}\n", indent, event.variable, event.begin.print(), event.end.print());
        print_events(event.body, indent + "  ", out);
        break;
      case Event::Kind::Launch: {
        const auto& launch = event.launch;
        out += fmt::format("{}launch {} at {} global {} local {}", indent, launch.kernel, launch.place,
                           size_list(launch.global), launch.local_is_null ? "NULL" : size_list(launch.local));
        if (!launch.offset.empty()) out += " offset " + size_list(launch.offset);
        out += fmt::format(" ({}){}\n", kind_name(launch.sizes.kind),
                           launch.condition.empty() ? "" : " " + launch.condition);
        for (const auto& [index, argument] : launch.arguments)
          out += fmt::format("{}  {}: {} ({})\n", indent, index, argument_text(argument),
                             kind_name(argument.provenance.kind));
        for (const auto& reason : launch.reasons) out += indent + "  not followed: " + reason + "\n";
        break;
      }
    }
  }
}

}  // namespace

std::string print(const Trace& trace) {
  std::string out = "from " + trace.function + "\n";
  for (const auto& program : trace.programs) {
    std::vector<std::string> pieces;
    for (const auto& piece : program.pieces)
      pieces.push_back(piece.file.empty() ? "computed"
                       : piece.whole_file ? "file " + piece.file
                                          : fmt::format("{}[{}..{}]", piece.file, piece.range.begin, piece.range.end));
    out += fmt::format("program of {} options {}{}\n", pieces.empty() ? "nothing known" : hone::join(pieces, " + "),
                       program.options ? "\"" + *program.options + "\"" : "not followed",
                       program.unknown.empty() ? "" : " (" + program.unknown + ")");
  }
  for (const auto& buffer : trace.buffers) {
    out += fmt::format("buffer {} {} bytes ({})\n", buffer.name, buffer.bytes ? buffer.bytes->print() : "?",
                       kind_name(buffer.provenance.kind));
    if (buffer.image)
      out += fmt::format("  image {} {} {} x {}\n", buffer.image->channel_order, buffer.image->channel_type,
                         buffer.image->width ? buffer.image->width->print() : "?",
                         buffer.image->height ? buffer.image->height->print() : "?");
  }
  for (const auto& [name, value] : trace.symbols)
    out += fmt::format("symbol {} = {}\n", name, value ? hone::print(*value) : "?");
  print_events(trace.events, "", out);
  for (const auto& step : trace.host_steps) out += "host step " + step + "\n";
  for (const auto& note : trace.notes) out += "note " + note + "\n";
  return out;
}

std::vector<Define> defines_in(const std::string& options, const std::string& place) {
  std::vector<Define> out;
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  for (const char c : options + " ") {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("-D")) continue;
    auto text = words[i].substr(2);
    if (text.empty() && i + 1 < words.size()) text = words[++i];
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    if (!is_identifier(name)) continue;
    out.push_back({name,
                   equals == std::string::npos ? "1" : text.substr(equals + 1),
                   place,
                   true,
                   {Provenance::Kind::Seen, place}});
  }
  return out;
}

std::vector<Define> defines_of(const ProgramText& program) {
  if (!program.options) return {};
  auto out = defines_in(*program.options, program.place);
  for (auto& define : out) {
    for (const auto& number : program.numbers) {  // the whole value, no part of a longer one
      const auto ahead = define.name + "=";
      const auto& all = *program.options;
      const bool named = number.begin >= ahead.size() &&
                         all.compare(number.begin - ahead.size(), ahead.size(), ahead) == 0 &&
                         all.substr(number.begin, number.end - number.begin) == define.value;
      if (named) define.follows = number.value;
    }
  }
  return out;
}

HostReading read_host(const Files& application, const std::vector<std::string>& kernels, const ReadPorts& ports,
                      const ReadLimits& limits) {
  HostReading out;
  const auto chosen = choose_units(application, kernels, limits.units);
  const Program program(parse_all(application, chosen.units, ports, limits, out.notes));
  for (const auto& file : chosen.left_out)
    out.notes.push_back(file + ": names a launch and was not read, more files than are read at once");
  const auto end = CpuClock::now() + limits.run_all;
  std::set<std::string> run_lines;
  const auto run = [&](FunctionRef root) {
    MachineLimits machine_limits;
    machine_limits.time =
        std::min(machine_limits.time, std::chrono::duration_cast<std::chrono::milliseconds>(end - CpuClock::now()));
    if (machine_limits.time.count() <= 0 || out.traces.size() >= limits.roots) return false;
    Machine machine(program, application, machine_limits);
    auto trace = machine.run(root);
    run_lines.insert(trace.lines.begin(), trace.lines.end());
    out.traces.push_back(std::move(trace));
    return true;
  };
  bool all = true;
  for (const auto& root : program.roots()) all = run(root) && all;
  // A launch that no run came by: its function is run by itself.
  std::map<std::string, std::pair<FunctionRef, std::string>> missed;
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(program.units().size()); ++u) {
    const auto& unit = program.unit(u);
    for (std::int32_t f = 0; f < static_cast<std::int32_t>(unit.functions.size()); ++f) {
      const auto& function = unit.functions[static_cast<std::size_t>(f)];
      if (!function.has_body || function.is_template) continue;
      std::map<std::string, std::string> found;
      launches_in(unit, function.body, found, function.name);
      for (const auto& [line, name] : found) {
        if (!run_lines.contains(line)) missed.try_emplace(line, FunctionRef{u, f}, name);
      }
    }
  }
  std::set<FunctionRef> tried;
  for (const auto& [line, where] : missed) {
    if (run_lines.contains(line) || !tried.insert(where.first).second) continue;
    all = run(where.first) && all;
  }
  for (const auto& [line, where] : missed) {
    if (!run_lines.contains(line))
      out.notes.push_back(fmt::format("{}: a launch in {} was seen and not followed: {}", line, where.second,
                                      all ? "no way that was run comes by it" : "the time for all programs was over"));
  }
  for (const auto& trace : out.traces) {
    for (const auto& site : trace.sites) {
      const auto same_call = [&](const LaunchSite& s) {
        return s.file == site.file && s.call == site.call && s.kernel == site.kernel;
      };
      const auto known = std::ranges::find_if(out.sites, same_call);
      if (known == out.sites.end()) {
        out.sites.push_back(site);
      } else if (known->global.empty() && !site.global.empty()) {
        *known = site;
      }
    }
    if (auto program = program_of(trace); !program.steps.empty() || !program.notes.empty())
      out.programs.push_back(std::move(program));
    for (const auto& text : trace.programs) {
      out.texts.push_back(text);
      for (auto& define : defines_of(text)) {
        const auto known = [&](const Define& d) { return d.name == define.name && d.value == define.value; };
        if (std::ranges::none_of(out.defines, known)) out.defines.push_back(std::move(define));
      }
    }
  }
  return out;
}

}  // namespace hone::host
