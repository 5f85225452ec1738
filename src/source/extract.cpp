#include "source/extract.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "source/closure.hpp"
#include "source/host_tokens.hpp"

namespace hone::source {
namespace {

using host::DeviceText;
using host::Item;

std::vector<std::string> kernels_in(const DeviceText& text) {
  std::vector<std::string> out;
  for (const auto& item : text.items) {
    if (item.kind == Item::Kind::Kernel) out.push_back(item.declares.front());
  }
  return out;
}

Result<const DeviceText*> text_with(const std::vector<DeviceText>& texts, const std::string& kernel,
                                    const std::string& file) {
  std::vector<const DeviceText*> found;
  std::vector<std::string> all;
  for (const auto& text : texts) {
    const auto here = kernels_in(text);
    all.insert(all.end(), here.begin(), here.end());
    const bool right_file = file.empty() || text.file == file;
    if (right_file && std::ranges::find(here, kernel) != here.end()) found.push_back(&text);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    std::vector<std::string> places;
    for (const auto* text : found) places.push_back(text->file);
    return fail("E-KERNEL", fmt::format("{} is defined in {}", kernel, join(places, " and ")),
                "choose one with --file " + places.front());
  }
  const auto close = nearest(kernel, all);
  return fail(
      "E-KERNEL",
      fmt::format("no kernel is named {}; there {} {}", kernel, all.size() == 1 ? "is" : "are", join(all, ", ")),
      close ? "hone extract ... --kernel " + *close : "hone scan DIR lists them");
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

void names_of(const std::vector<HostStep>& steps, std::vector<std::string>& out) {
  for (const auto& step : steps) {
    if (const auto* launch = std::get_if<HostLaunch>(&step)) {
      if (std::ranges::find(out, launch->kernel) == out.end()) out.push_back(launch->kernel);
    } else {
      names_of(std::get<HostLoop>(step).body, out);
    }
  }
}

/// A word written in capitals that the text gives no meaning to, and OpenCL does not either.
bool looks_like_macro(const std::string& word) {
  static const std::vector<std::string> known = {
      "CLK_",   "CL_",       "M_",          "FLT_",   "DBL_",  "INT_",     "UINT_",    "CHAR_", "SHRT_",    "LONG_",
      "ULONG_", "UCHAR_",    "SCHAR_",      "USHRT_", "HALF_", "MAXFLOAT", "INFINITY", "NAN",   "HUGE_VAL", "NULL",
      "OPENCL", "EXTENSION", "FP_CONTRACT", "ON",     "OFF",   "DEFAULT",  "FP_",      "FAST"};
  if (word.size() < 2 ||
      std::ranges::any_of(word, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }))
    return false;
  if (std::isupper(static_cast<unsigned char>(word[0])) == 0) return false;
  return std::ranges::none_of(known,
                              [&](const std::string& k) { return k.ends_with("_") ? word.starts_with(k) : word == k; });
}

/// Parameters and variables: a word right after another word or a star.
std::set<std::string> declared_inside(const std::string& text) {
  std::set<std::string> out;
  const auto tokens = host::tokens_of(text);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const auto& before = tokens[i - 1];
    const bool type = before.kind == host::Token::Kind::Word && !before.is("return") && !before.is("else");
    const bool declares = type || before.is("*") || before.is(",");
    const bool ends =
        i + 1 < tokens.size() && (tokens[i + 1].is("=") || tokens[i + 1].is(";") || tokens[i + 1].is(",") ||
                                  tokens[i + 1].is(")") || tokens[i + 1].is("["));
    if (tokens[i].kind == host::Token::Kind::Word && type && declares && ends) out.insert(std::string(tokens[i].text));
    if (tokens[i].kind == host::Token::Kind::Directive) {
      const auto inner = host::tokens_of(tokens[i].text.substr(1));
      const bool asks = !inner.empty() && (inner[0].is("ifdef") || inner[0].is("ifndef") || inner[0].is("if") ||
                                           inner[0].is("elif") || inner[0].is("define"));
      for (std::size_t t = 1; asks && t < inner.size(); ++t) out.insert(std::string(inner[t].text));
    }
  }
  return out;
}

/// `#define NAME value` in a host file: the second-best guess for a macro that kernels miss.
std::optional<Define> macro_define(const Files& application, const std::string& name) {
  for (const auto& [path, text] : application) {
    if (!host::is_host_file(path)) continue;
    for (const auto& token : host::tokens_of(text)) {
      if (token.kind != host::Token::Kind::Directive) continue;
      const auto inner = host::tokens_of(token.text.substr(1));
      if (inner.size() < 3 || !inner[0].is("define") || !inner[1].is(name) || inner[2].begin == inner[1].end) continue;
      const auto value = token.text.substr(1 + inner[2].begin, inner.back().end - inner[2].begin);
      const auto place = fmt::format("{}:{}", path, line_of(text, token.begin));
      return Define{name, std::string(value), place, true, {Provenance::Kind::Guessed, place}};
    }
  }
  return std::nullopt;
}

std::string defines_as_options(const std::vector<Define>& missing) {
  std::string out;
  for (const auto& define : missing)
    out += " -D " + define.name + "=" + (define.value.empty() ? "VALUE" : define.value);
  return out;
}

/// Macros that are mentioned and defined nowhere: from the host's build options where these say one value, else an
/// error that tells what the host suggests.
Status add_defines(const Files& application, const std::vector<Define>& options, const host::Closure& closure,
                   const ExtractRequest& request, Extraction& out) {
  for (const auto& [name, value] : request.defines)
    out.defines.push_back({name, value, {}, false, {Provenance::Kind::Set, {}}});
  const auto inside = declared_inside(closure.text);
  std::vector<Define> missing;
  for (const auto& name : closure.mentioned) {
    if (closure.declared.contains(name) || request.defines.contains(name)) continue;
    std::vector<Define> said;
    for (const auto& option : options) {
      const bool new_value = std::ranges::none_of(said, [&](const Define& s) { return s.value == option.value; });
      if (option.name == name && new_value) said.push_back(option);
    }
    if (said.size() == 1 && !said[0].value.empty()) {
      out.defines.push_back(said[0]);
      out.notes.push_back(
          fmt::format("-D{}={} inferred from the host's build options at {}", name, said[0].value, said[0].place));
      continue;
    }
    if (inside.contains(name) || (said.empty() && !looks_like_macro(name))) continue;
    if (!said.empty()) {
      missing.push_back(said[0]);
    } else {
      missing.push_back(macro_define(application, name).value_or(Define{name, {}, {}, true, {}}));
    }
  }
  if (missing.empty()) return {};
  std::vector<std::string> sentences;
  for (const auto& define : missing) {
    if (define.place.empty()) {
      sentences.push_back(define.name + " is not defined anywhere in the folder");
    } else if (define.value.empty()) {
      sentences.push_back(fmt::format("{} is not defined; the host computes it at {}", define.name, define.place));
    } else {
      sentences.push_back(fmt::format("{} is not defined; host code at {} suggests -D{}={}", define.name, define.place,
                                      define.name, define.value));
    }
  }
  return fail(
      "E-DEFINE", join(sentences, "; "),
      fmt::format("confirm with: hone extract ... --kernel {}{}", out.kernels.front(), defines_as_options(missing)));
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
  for (const auto& piece : origin.pieces) names.insert(piece.file);
  for (const auto& site : origin.launches) names.insert(site.file);
  for (const auto& name : names) {
    if (const auto file = application.find(name); file != application.end())
      origin.files.push_back({name, sha256(file->second)});
  }
}

}  // namespace

Result<Extraction> extract(const Files& application, const ExtractRequest& request) {
  auto scanned = scan(application, request.kernels);
  if (!scanned) return fail(std::move(scanned).error());
  Extraction out;
  out.kernels = request.kernels;
  if (out.kernels.empty()) {
    for (const auto& program : scanned->programs) names_of(program.steps, out.kernels);
    if (out.kernels.empty()) out.kernels.push_back(scanned->kernels.front().name);
  }
  const auto texts = host::device_texts(application);
  auto text = text_with(texts, out.kernels.front(), request.file);
  if (!text) return fail(std::move(text).error());
  for (const auto& kernel : out.kernels) {
    auto other = text_with(texts, kernel, request.file);
    if (!other) return fail(std::move(other).error());
    if (*other != *text)
      return fail("E-KERNEL",
                  fmt::format("{} and {} are in different programs ({} and {})", out.kernels.front(), kernel,
                              (*text)->file, (*other)->file),
                  "extract them one by one: hone extract ... --kernel " + kernel);
  }
  out.language = (*text)->language;
  auto closure = host::close_over(**text, out.kernels, application);
  if (!closure) return fail(std::move(closure).error());
  const auto order = kernels_in(**text);
  std::ranges::sort(out.kernels, {}, [&](const std::string& k) { return std::ranges::find(order, k) - order.begin(); });
  if (auto done = add_defines(application, scanned->defines, *closure, request, out); !done)
    return fail(std::move(done).error());
  out.source = std::move(closure->text);
  out.origin.pieces = std::move(closure->pieces);
  for (const auto& site : scanned->launches) {
    if (std::ranges::find(out.kernels, site.kernel) != out.kernels.end()) out.origin.launches.push_back(site);
  }
  stamp_files(application, out.origin);
  for (auto& program : scanned->programs) {
    auto steps = only(program.steps, out.kernels);
    if (steps.empty()) continue;
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
