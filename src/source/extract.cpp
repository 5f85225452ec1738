#include "source/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "source/build_check.hpp"
#include "source/build_files.hpp"
#include "source/closure.hpp"
#include "source/defines.hpp"
#include "source/host/includes.hpp"
#include "source/host/near.hpp"
#include "source/program_text.hpp"

namespace hone::source {
namespace {

using host::DeviceText;
using host::Item;

std::vector<std::string> kernels_in(const DeviceText& text) {
  std::vector<std::string> out;
  for (const auto& item : text.items) {
    if (item.kind == Item::Kind::Kernel) out.push_back(item.declares.back());
  }
  return out;
}

std::string definition_of(const DeviceText& text, const std::string& kernel) {
  std::string out;
  for (const auto& item : text.items) {
    if (item.kind != Item::Kind::Kernel || item.declares.back() != kernel) continue;
    for (const auto& token :
         host::tokens_of(std::string_view(text.text).substr(item.range.begin, item.range.end - item.range.begin)))
      out += std::string(token.text) + " ";
  }
  return out;
}

/// "main.c:57"
std::string place_of(const Scan& scan, const DeviceText& text, const std::string& kernel) {
  for (const auto& item : text.items) {
    if (item.kind != Item::Kind::Kernel || item.declares.back() != kernel) continue;
    const auto piece = text.first_piece(item.range);
    for (const auto& found : scan.kernels) {
      if (found.name == kernel && found.file == piece.file && found.range.begin == piece.there.begin)
        return fmt::format("{}:{}", found.file, found.line);
    }
  }
  return text.file;
}

/// Where the kernel stands: OpenCL before its twins in other languages, a file before a string that was made of it.
Result<const DeviceText*> text_with(const Scan& scan, const std::string& kernel, const std::string& file,
                                    std::vector<std::string>& notes) {
  std::vector<const DeviceText*> found;
  std::vector<std::string> all;
  for (const auto& text : scan.device->kernels) {
    const auto here = kernels_in(text);
    all.insert(all.end(), here.begin(), here.end());
    const bool right_file =
        file.empty() || text.file == file || text.file.ends_with("/" + file) || place_of(scan, text, kernel) == file;
    if (right_file && std::ranges::find(here, kernel) != here.end()) found.push_back(&text);
  }
  // The very file before one in a folder that ends so.
  if (std::ranges::any_of(found, [&](const DeviceText* text) { return text->file == file; }))
    std::erase_if(found, [&](const DeviceText* text) { return text->file != file; });
  if (found.empty()) {
    const auto close = nearest(kernel, all);
    return fail(
        "E-KERNEL",
        fmt::format("no kernel is named {}; there {} {}", kernel, all.size() == 1 ? "is" : "are", join(all, ", ")),
        close ? "hone extract ... --kernel " + *close : "hone scan DIR lists them");
  }
  const auto opencl = [](const DeviceText* text) { return text->language == Language::OpenCL; };
  if (std::ranges::any_of(found, opencl)) {
    std::vector<std::string> twins;
    for (const auto* text : found) {
      if (!opencl(text)) twins.push_back(text->file);
    }
    std::erase_if(found, [&](const DeviceText* text) { return !opencl(text); });
    if (!twins.empty())
      notes.push_back(
          fmt::format("{} is also in {}: the OpenCL one is taken; --file chooses another", kernel, join(twins, ", ")));
  }
  // The same definition again: a string that a build made of a file, a copy.
  std::ranges::stable_sort(found, {}, [](const DeviceText* text) { return text->embedding != Embedding::File; });
  for (std::size_t i = 1; i < found.size();) {
    const bool made = found[i]->embedding != Embedding::File && found[0]->embedding == Embedding::File &&
                      definition_of(*found[i], kernel) == definition_of(*found[0], kernel);
    if (!made) {
      ++i;
      continue;
    }
    notes.push_back(fmt::format("{} has the text of {} again", found[i]->file, found[0]->file));
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (found.size() == 1) return found.front();
  std::vector<std::string> places;
  for (const auto* text : found) {
    const bool again = std::ranges::count(found, text->file, &DeviceText::file) > 1;
    places.push_back(again ? place_of(scan, *text, kernel) : text->file);
  }
  return fail("E-KERNEL", fmt::format("{} is defined in {}", kernel, join(places, " and ")),
              "choose one with --file " + places.front());
}

bool launches_any(const HostStep& step, const std::vector<std::string>& kernels) {
  if (const auto* launch = std::get_if<HostLaunch>(&step))
    return std::ranges::find(kernels, launch->kernel) != kernels.end();
  return std::ranges::any_of(std::get<HostLoop>(step).body,
                             [&](const HostStep& s) { return launches_any(s, kernels); });
}

std::vector<HostStep> only(const std::vector<HostStep>& steps, const std::vector<std::string>& kernels) {
  std::vector<HostStep> out;
  for (const auto& step : steps) {
    if (!launches_any(step, kernels)) continue;
    if (const auto* loop = std::get_if<HostLoop>(&step)) {
      HostLoop kept = *loop;
      kept.body = only(loop->body, kernels);
      out.emplace_back(std::move(kept));
    } else {
      out.push_back(step);
    }
  }
  return out;
}

/// The file of the first launch.
std::optional<std::string> first_place(const std::vector<HostStep>& steps) {
  for (const auto& step : steps) {
    const auto* launch = std::get_if<HostLaunch>(&step);
    auto place = launch != nullptr ? std::optional(launch->place.substr(0, launch->place.rfind(':')))
                                   : first_place(std::get<HostLoop>(step).body);
    if (place) return place;
  }
  return std::nullopt;
}

void names_of(const std::vector<HostStep>& steps, std::vector<std::string>& out) {
  for (const auto& step : steps) {
    if (const auto* launch = std::get_if<HostLaunch>(&step)) {
      if (std::ranges::find(out, launch->kernel) == out.end()) out.push_back(launch->kernel);
    } else {
      names_of(std::get<HostLoop>(step).body, out);
    }
  }
}

void used_names(const std::vector<HostStep>& steps, std::set<std::string>& out) {
  const auto add = [&](const Expression& e) {
    for (const auto& name : e.names()) out.insert(name);
  };
  for (const auto& step : steps) {
    if (const auto* loop = std::get_if<HostLoop>(&step)) {
      add(loop->begin);
      add(loop->end);
      used_names(loop->body, out);
      continue;
    }
    const auto& launch = std::get<HostLaunch>(step);
    for (const auto& [position, argument] : launch.arguments) add(argument.value);
    for (const auto* sizes : {&launch.global, &launch.local, &launch.offset}) std::ranges::for_each(*sizes, add);
  }
}

/// Programs that launch the kernels: those of the same language only, the nearest to the kernels' text first.
std::vector<const HostProgram*> launching_programs(const Scan& scan, const Extraction& extraction,
                                                   const DeviceText& text) {
  std::vector<const HostProgram*> out;
  std::map<const HostProgram*, std::size_t> nearness;
  for (const auto& program : scan.programs) {
    const auto place = first_place(only(program.steps, extraction.kernels));
    if (!place || !hone::host::may_launch(*place, extraction.language)) continue;
    nearness[&program] = hone::host::shared_folders(*place, text.file) + (*place == text.file ? 1 : 0);
    out.push_back(&program);
  }
  std::ranges::stable_sort(out, std::greater{}, [&](const HostProgram* program) { return nearness.at(program); });
  return out;
}

/// Following makes a symbol of everything it meets; what no launch and no buffer is made of is dropped again.
void keep_used_symbols(HostProgram& program) {
  std::set<std::string> used;
  used_names(program.steps, used);
  std::erase_if(program.buffers, [&](const HostBuffer& b) { return !used.contains(b.name); });
  for (const auto& buffer : program.buffers) {
    for (const auto& name : buffer.bytes ? buffer.bytes->names() : std::vector<std::string>{}) used.insert(name);
  }
  std::erase_if(program.symbols, [&](const auto& symbol) { return !used.contains(symbol.first); });
}

void stamp_files(const Files& application, Origin& origin) {
  std::set<std::string> names;
  for (const auto& piece : origin.pieces)
    if (!piece.file.empty()) names.insert(piece.file);
  for (const auto& site : origin.launches) names.insert(site.file);
  for (const auto& name : names) {
    if (const auto file = application.find(name); file != application.end())
      origin.files.push_back({name, sha256(file->second)});
  }
}

std::vector<std::int64_t> local_sizes(const HostProgram& program, const std::vector<HostStep>& steps) {
  const auto value = [&](std::string_view name) -> std::optional<Value> {
    const auto found = program.symbols.find(std::string(name));
    return found == program.symbols.end() ? std::nullopt : found->second;
  };
  for (const auto& step : steps) {
    if (const auto* loop = std::get_if<HostLoop>(&step)) {
      if (auto inside = local_sizes(program, loop->body); !inside.empty()) return inside;
      continue;
    }
    std::vector<std::int64_t> out;
    for (const auto& size : std::get<HostLaunch>(step).local) {
      const auto known = size.evaluate_integer(value);
      if (!known) break;
      out.push_back(*known);
    }
    if (!out.empty()) return out;
  }
  return {};
}

/// The text of the kernels with all it needs, built to see whether that is so.
class Gathering {
 public:
  Gathering(const Files& application, const Scan& scan, const ExtractRequest& request, Extraction& out)
      : application_(application), scan_(scan), request_(request), out_(out) {}

  void run(const DeviceText& text, const std::vector<const ProgramText*>& programs,
           const std::vector<std::int64_t>& local) {
    closure_request_.kernels = out_.kernels;
    closure_request_.include_folders = include_folders(programs);
    out_.options = compiler_options(programs);
    if (!out_.options.empty())
      out_.notes.push_back("built with " + join(out_.options, " ") + ", as the host builds it");
    options_ = option_defines(programs);
    if (options_.empty()) options_ = unambiguous(scan_.defines);
    for (const auto& option : options_) closure_request_.defines[option.name] = option.value;
    for (const auto& [name, value] : request_.defines) closure_request_.defines[name] = value;
    instantiate(text, local);
    for (int round = 0; round < 12; ++round) {
      closure_ = host::close_over(text, pointers(), closure_request_, application_);
      const auto checked = check_build(closure_.text, out_.language, effective());
      if (!checked.problem.empty()) break;
      others_ = checked.others;
      // A type that is not known makes other names unknown that are not.
      auto first = checked.missing;
      if (std::ranges::any_of(first, &Gathering::is_type))
        std::erase_if(first, [](const auto& m) { return !is_type(m); });
      if (!supply(first, text, local)) {
        for (const auto& missing : checked.missing) others_.push_back(missing.name + " is not declared");
        break;
      }
    }
    finish();
  }

 private:
  /// Kernels that are templates are taken as the instance that is launched.
  void instantiate(const DeviceText& text, const std::vector<std::int64_t>& local) {
    if (out_.language == Language::OpenCL) return;
    for (const auto& item : text.items) {
      if (item.kind != Item::Kind::Kernel) continue;
      const auto& kernel = item.declares.back();
      if (std::ranges::find(out_.kernels, kernel) == out_.kernels.end()) continue;
      auto header = template_header(text.text, item.range);
      if (header.parameters.empty()) continue;
      auto instance = instance_of(kernel, std::move(header), application_, text.file, local);
      std::vector<std::string> values;
      for (const auto& parameter : instance.parameters)
        values.push_back(parameter.name + " = " + parameter.value + (parameter.guessed ? " (a guess)" : ""));
      out_.notes.push_back(fmt::format("{} is a template, taken with {}{}", kernel, join(values, ", "),
                                       instance.place.empty() ? "" : " as at " + instance.place));
      closure_request_.instances.insert_or_assign(kernel, std::move(instance));
    }
  }

  static bool is_type(const MissingName& missing) { return missing.as == MissingName::As::Type; }

  static std::vector<Define> unambiguous(const std::vector<Define>& defines) {
    std::vector<Define> out;
    for (const auto& define : defines) {
      const auto differs = [&](const Define& d) { return d.name == define.name && d.value != define.value; };
      const auto known = [&](const Define& d) { return d.name == define.name; };
      if (std::ranges::none_of(defines, differs) && std::ranges::none_of(out, known)) out.push_back(define);
    }
    return out;
  }

  std::vector<const DeviceText*> pointers() const {
    std::vector<const DeviceText*> out;
    for (auto it = libraries_.rbegin(); it != libraries_.rend(); ++it) out.push_back(&*it);
    return out;
  }

  std::map<std::string, std::string> effective() const {
    auto out = closure_request_.defines;
    for (const auto& [name, value] : closure_.assumed) out[name] = value;
    return out;
  }

  /// The ways to give a name a meaning, the surest first: one kind of way for all names before the next kind.
  bool supply(const std::vector<MissingName>& missing, const DeviceText& text, const std::vector<std::int64_t>& local) {
    for (int way = 0; way < 4; ++way) {
      bool grew = false;
      for (const auto& one : missing) {
        auto& tried = tried_[one.name];
        if (tried > way) continue;
        const bool given = supply_by(way, one, text, local);
        const bool again = given && way == 1 && ++borrowed_[one.name] < 2;  // another text may have it still
        if (!again) tried = way + 1;
        grew = given || grew;
        if (grew && way == 0) break;  // it may declare the others too
      }
      if (grew) return true;
    }
    return false;
  }

  bool supply_by(int way, const MissingName& missing, const DeviceText& text, const std::vector<std::int64_t>& local) {
    if (way == 0) return assume(missing.name, text);
    if (way == 1) return borrow(missing.name, text);
    if (way == 2) {
      auto define = host_macro(application_, missing.name, text.file);
      if (!define) define = build_file_define(builds(), missing.name, text.file);
      if (!define) define = define_in_strings(application_, missing.name);
      return define && infer(std::move(*define));
    }
    return out_.language == Language::OpenCL && infer(define_by_use(missing, closure_.text, local));
  }

  /// Under a condition the text itself declares it.
  bool assume(const std::string& name, const DeviceText& text) {
    const auto more = host::defines_that_declare(text, name, effective());
    for (const auto& [define, value] : more) {
      if (closure_request_.defines.contains(define)) return false;
    }
    for (const auto& [define, value] : more)
      infer({define, value, text.file, true, {Provenance::Kind::Inferred, text.file}});
    return !more.empty();
  }

  /// Another text of the application declares it.
  bool borrow(const std::string& name, const DeviceText& text) {
    auto library = text_declaring(scan_, name, text, libraries_, application_);
    if (!library) return false;
    closure_request_.wanted.insert(name);
    out_.notes.push_back(fmt::format("{} is taken from {}", name, library->file));
    libraries_.push_back(std::move(*library));
    return true;
  }

  bool infer(Define define) {
    closure_request_.defines[define.name] = define.value;
    inferred_.push_back(std::move(define));
    return true;
  }

  const std::vector<BuildDefine>& builds() {
    if (!builds_) builds_ = build_defines(application_);
    return *builds_;
  }

  bool used(const std::string& name) const {
    return closure_.mentioned.contains(name) || closure_.asked.contains(name);
  }

  void finish() {
    for (const auto& [name, value] : request_.defines)
      out_.defines.push_back({name, value, {}, false, {Provenance::Kind::Set, {}}});
    for (const auto& option : options_) {
      if (request_.defines.contains(option.name) || !used(option.name)) continue;
      if (closure_.declared.contains(option.name) && !closure_.asked.contains(option.name)) continue;
      out_.defines.push_back(option);
      out_.notes.push_back(
          fmt::format("-D{}={} from the host's build options at {}", option.name, option.value, option.place));
    }
    for (auto& define : inferred_) {
      out_.notes.push_back(
          define.place.empty()
              ? fmt::format("-D{}={} is a guess by its use: nothing in the folder defines it; -D {}=VALUE sets it",
                            define.name, define.value, define.name)
              : fmt::format("-D{}={} inferred from {}", define.name, define.value, define.place));
      out_.defines.push_back(std::move(define));
    }
    for (const auto& [name, value] : closure_.assumed) {
      out_.defines.push_back({name, value, {}, true, {Provenance::Kind::Inferred, {}}});
      out_.notes.push_back(fmt::format("-D{}={} inferred: without it the kernel is not there", name, value));
    }
    out_.notes.insert(out_.notes.end(), closure_.notes.begin(), closure_.notes.end());
    if (!others_.empty())
      out_.notes.push_back(fmt::format("Clang does not accept the text alone: {}{}", others_.front(),
                                       others_.size() > 1 ? fmt::format(" and {} more", others_.size() - 1) : ""));
    out_.source = std::move(closure_.text);
    out_.origin.pieces = std::move(closure_.pieces);
  }

  const Files& application_;
  const Scan& scan_;
  const ExtractRequest& request_;
  Extraction& out_;
  host::ClosureRequest closure_request_;
  host::Closure closure_;
  std::vector<Define> options_, inferred_;
  std::deque<DeviceText> libraries_;
  std::map<std::string, int> borrowed_;
  std::map<std::string, int> tried_;  // by name: how many ways
  std::vector<std::string> others_;
  std::optional<std::vector<BuildDefine>> builds_;
};

}  // namespace

Result<Extraction> extract(const Files& application, const ExtractRequest& request,
                           const hone::host::ReadPorts& ports) {
  const auto scanned = scan(application, {request.kernels, request.file}, ports);
  if (!scanned) return fail(scanned.error());
  return extract(application, *scanned, request);
}

Result<Extraction> extract(const Files& application, const Scan& scanned, const ExtractRequest& request) {
  Extraction out;
  out.kernels = request.kernels;
  if (out.kernels.empty()) {
    for (const auto& program : scanned.programs) names_of(program.steps, out.kernels);
    if (out.kernels.empty()) out.kernels.push_back(scanned.kernels.front().name);
  }
  const auto first = text_with(scanned, out.kernels.front(), request.file, out.notes);
  if (!first) return fail(first.error());
  const auto programs = programs_of(scanned, **first, out.kernels.front());
  const auto text = joined_text(scanned, programs, **first, application);
  const auto order = kernels_in(text);
  for (const auto& kernel : out.kernels) {
    if (std::ranges::find(order, kernel) != order.end()) continue;
    const auto other = text_with(scanned, kernel, request.file, out.notes);
    if (!other) return fail(other.error());
    return fail("E-KERNEL",
                fmt::format("{} and {} are in different programs ({} and {})", out.kernels.front(), kernel,
                            (*first)->file, (*other)->file),
                "extract them one by one: hone extract ... --kernel " + kernel);
  }
  out.language = (*first)->language;
  std::ranges::sort(out.kernels, {}, [&](const std::string& k) { return std::ranges::find(order, k) - order.begin(); });
  std::vector<std::int64_t> local;
  for (const auto& program : scanned.programs) {
    if (local.empty()) local = local_sizes(program, only(program.steps, out.kernels));
  }
  Gathering(application, scanned, request, out).run(text, programs, local);
  for (const auto& site : scanned.launches) {
    if (std::ranges::find(out.kernels, site.kernel) != out.kernels.end()) out.origin.launches.push_back(site);
  }
  stamp_files(application, out.origin);
  for (const auto* candidate : launching_programs(scanned, out, **first)) {
    auto steps = only(candidate->steps, out.kernels);
    auto program = *candidate;
    if (out.kernels.size() > 1 && !program.host_steps.empty()) {
      return fail("E-HOSTSTEP", fmt::format("the kernels are not one program: {}", join(program.host_steps, "; ")),
                  "one kernel at a time: hone extract ... --kernel " + out.kernels.front());
    }
    out.notes.insert(out.notes.end(), program.notes.begin(), program.notes.end());
    for (const auto& step : program.host_steps) out.notes.push_back("taken alone, because of a host step: " + step);
    out.host = std::move(program);
    out.host.steps = std::move(steps);
    keep_used_symbols(out.host);
    break;
  }
  if (out.host.steps.empty())
    out.notes.push_back("no launch of " + join(out.kernels, ", ") + " was found in the host code");
  return out;
}

}  // namespace hone::source
