#include "patch/launch_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "core/bindings.hpp"
#include "patch/adapter_text.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

constexpr std::string_view enqueue_name = "clEnqueueNDRangeKernel";
constexpr std::string_view method_name = "enqueueNDRangeKernel";

std::string beside(const std::string& file) {
  const auto slash = file.find_last_of('/');
  return slash == std::string::npos ? std::string(adapter_header)
                                    : file.substr(0, slash + 1) + std::string(adapter_header);
}

std::string_view trim_end(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool starts(std::string_view directive, std::string_view word) { return trim(directive.substr(1)).starts_with(word); }

/// Behind the includes, outside of every #if but an include guard. Nothing when the file includes nothing before the
/// call: then OpenCL's types may not be known there.
std::optional<std::size_t> behind_includes(const std::string& file, std::size_t call) {
  std::vector<Token> directives;
  for (const auto& token : tokens_of(file))
    if (token.kind == Token::Kind::Directive && token.begin < call) directives.push_back(token);
  const auto line = [&](std::size_t i) { return text_of(directives[i], file); };
  const bool guarded = directives.size() > 1 && starts(line(0), "ifndef") && starts(line(1), "define");
  int depth = 0;
  bool pending = false;
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < directives.size(); ++i) {
    if (starts(line(i), "if")) ++depth;
    if (starts(line(i), "endif")) --depth;
    if (starts(line(i), "include")) pending = true;
    if (!pending || depth > (guarded ? 1 : 0)) continue;
    out = directives[i].begin + trim_end(line(i)).size();
    pending = false;
  }
  return out;
}

/// `queue.enqueueNDRangeKernel(` of the bindings: where what stands before the name begins, and how it is handed on.
struct QueueOfCall {
  std::size_t begin = 0, open = 0;  // of the queue's expression; the bracket behind the name
  std::string text;
};

/// The first token of the expression that ends at token `last`: names, members, calls and subscripts.
std::optional<std::size_t> begin_of_path(const std::vector<Token>& tokens, const std::string& file, std::size_t last) {
  static const std::set<std::string_view> no_names = {"return", "else", "do", "case", "throw", "co_return"};
  const auto is = [&](std::size_t i, std::string_view what) { return text_of(tokens[i], file) == what; };
  std::size_t at = last;
  for (;;) {
    if (is(at, ")") || is(at, "]")) {
      const auto end = at;
      while (at > 0 && closing(tokens, file, at) != end) --at;
      const bool named =
          at > 0 && tokens[at - 1].kind == Token::Kind::Word && !no_names.contains(text_of(tokens[at - 1], file));
      if (at == 0 || (!named && is(at, "["))) return std::nullopt;
      if (!named) return at;  // (*queue)
      --at;
      continue;
    }
    if (tokens[at].kind != Token::Kind::Word || no_names.contains(text_of(tokens[at], file))) return std::nullopt;
    if (at > 1 && is(at - 1, "."))
      at -= 2;
    else if (at > 2 && is(at - 1, ">") && is(at - 2, "-"))
      at -= 3;
    else if (at > 2 && is(at - 1, ":") && is(at - 2, ":") && tokens[at - 3].kind == Token::Kind::Word)
      at -= 3;
    else
      return at;
  }
}

std::optional<QueueOfCall> queue_of(const std::string& file, std::size_t call) {
  const auto tokens = tokens_of(file);
  std::size_t name = 0;
  while (name < tokens.size() && tokens[name].begin < call) ++name;
  const auto is = [&](std::size_t i, std::string_view what) {
    return i < tokens.size() && text_of(tokens[i], file) == what;
  };
  const bool by_pointer = name > 2 && is(name - 1, ">") && is(name - 2, "-");
  if (!by_pointer && !(name > 1 && is(name - 1, "."))) return std::nullopt;
  const auto last = name - (by_pointer ? 3 : 2);
  const auto first = begin_of_path(tokens, file, last);
  if (!first || !is(name + 1, "(")) return std::nullopt;
  QueueOfCall out{tokens[*first].begin, tokens[name + 1].end, {}};
  out.text = (by_pointer ? "*" : "") + file.substr(out.begin, tokens[last].end - out.begin);
  return out;
}

bool calls(const PassingKernels& call, const std::string& file, std::string_view function) {
  return std::string_view(file).substr(call.call.begin, function.size()) == function &&
         call.call.end > call.call.begin + function.size();
}

/// A class of the application may have a method of that name, which takes other things.
bool has_its_own(const Files& files, std::string_view method) {
  for (const auto& [name, text] : files) {
    if (text.find(method) == std::string::npos || is_opencl_bindings(name, text)) continue;
    const auto tokens = tokens_of(text);
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      const bool named = tokens[i].kind == Token::Kind::Word && text_of(tokens[i], text) == method;
      const auto before = text_of(tokens[i - 1], text);
      if (named && (tokens[i - 1].kind == Token::Kind::Word || before == ":" || before == "&" || before == "*"))
        return true;
    }
  }
  return false;
}

/// The program may be asked for all its kernels: by their order the marker would be one of them, by their names not.
std::string takes_every_kernel(const Files& files) {
  for (const auto& [name, text] : files) {
    const bool by_name = text.find("CL_KERNEL_FUNCTION_NAME") != std::string::npos;
    const bool all = text.find("clCreateKernelsInProgram") != std::string::npos ||
                     (!by_name && text.find("createKernels(") != std::string::npos);
    if (all && !is_opencl_bindings(name, text))
      return name + " takes every kernel of a program, and would take the marker too";
  }
  return {};
}

/// The call, led through the generated function.
void redirect(const PassingKernels& call, const std::string& file, std::vector<Edit>& edits, AdapterInterfaces& uses) {
  const auto begin = call.call.begin;
  if (calls(call, file, enqueue_name)) {
    edits.push_back({{begin, begin + enqueue_name.size()}, "hone_enqueue"});
    uses.arrays = true;
    return;
  }
  const auto queue = *queue_of(file, begin);
  edits.push_back({{queue.begin, queue.open}, fmt::format("hone_enqueue_range({}, ", queue.text)});
  uses.ranges = true;
}

}  // namespace

std::string marker_text(const std::string& kernel) {
  return fmt::format("/* Tells the host that {} is the one hone_launch.h speaks of. */\n__kernel void {}(void)\n{{\n}}",
                     kernel, marker_of(kernel));
}

bool may_launch(const PassingKernels& call, const std::string& kernel) {
  if (call.known) return call.kernels.contains(kernel);
  return !call.made_by_program || call.made_by_program->contains(kernel);
}

std::string not_adaptable(const PassingKernels& call, const Files& files) {
  const auto file = files.find(call.file);
  if (file == files.end()) return "its file is not among the application's";
  const bool ranges = calls(call, file->second, method_name);
  if (!ranges && !calls(call, file->second, enqueue_name))
    return call.why.empty() ? "the launch is no call of " + std::string(enqueue_name) : call.why;
  if (ranges && !queue_of(file->second, call.call.begin)) return "the queue of this launch could not be read";
  if (ranges && has_its_own(files, method_name))
    return "a class of the application has a method " + std::string(method_name) + " of its own";
  if (!behind_includes(file->second, call.call.begin)) return "the file includes nothing";
  if (files.contains(beside(call.file))) return std::string(adapter_header) + " is already there";
  return takes_every_kernel(files);
}

Result<Adapted> adapt_launches(const std::vector<LaunchShape>& shapes, const std::vector<PassingKernels>& calls,
                               const Files& files) {
  Adapted out;
  std::map<std::string, AdapterInterfaces> pages;  // by the name of the header
  std::set<std::string> including;
  for (const auto& call : calls) {
    const bool concerned =
        std::ranges::any_of(shapes, [&](const LaunchShape& shape) { return may_launch(call, shape.kernel); });
    if (!concerned) continue;
    if (const auto why = not_adaptable(call, files); !why.empty()) return fail("E-LAUNCHSITE", call.place + ": " + why);
    const auto& text = files.at(call.file);
    redirect(call, text, out.edits[call.file], pages[beside(call.file)]);
    if (!including.insert(call.file).second) continue;
    const std::string newline = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    const auto place = *behind_includes(text, call.call.begin);
    out.edits[call.file].push_back({{place, place}, fmt::format("{}#include \"{}\"", newline, adapter_header)});
  }
  for (const auto& [name, interfaces] : pages) {
    auto page = adapter_text(shapes, interfaces);
    if (!page) return fail(std::move(page).error());
    out.added[name] = std::move(*page);
  }
  return out;
}

}  // namespace hone::patch
