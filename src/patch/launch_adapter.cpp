#include "patch/launch_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "patch/host_expression.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

constexpr std::string_view enqueue_name = "clEnqueueNDRangeKernel";
constexpr std::string_view header_name = "hone_launch.h";

std::string beside(const std::string& file) {
  const auto slash = file.find_last_of('/');
  return slash == std::string::npos ? std::string(header_name) : file.substr(0, slash + 1) + std::string(header_name);
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

HostNames sizes_of_the_call() {
  return [](std::string_view name) -> std::optional<std::string> {
    for (const std::string_view which : {"global", "local"})
      for (const char d : {'0', '1', '2'})
        if (name == fmt::format("launch.{}[{}]", which, d)) return fmt::format("{}[{}]", which, d);
    return std::nullopt;
  };
}

bool needs_local(const LaunchShape& shape) {
  const auto mentions = [](const Expression& e) {
    return std::ranges::any_of(e.names(), [](const std::string& name) { return name.starts_with("launch.local"); });
  };
  return std::ranges::any_of(shape.global, mentions) || std::ranges::any_of(shape.local, mentions);
}

/// One kernel's part of the function.
Result<std::string> branch_of(const LaunchShape& shape) {
  const auto names = sizes_of_the_call();
  std::vector<std::string> global;
  std::vector<std::string> local;
  for (std::size_t i = 0; i < shape.global.size(); ++i) {
    auto size = shape.local.empty() ? host_expression(shape.global[i], names)
                                    : host_rounded(shape.global[i], shape.local[i], names);
    if (!size) return fail(std::move(size).error());
    global.push_back(std::move(*size));
  }
  for (const auto& expression : shape.local) {
    auto size = host_expression(expression, names);
    if (!size) return fail(std::move(size).error());
    local.push_back(std::move(*size));
  }
  std::string out =
      fmt::format("    if (dimensions == {}{} && hone_is_new(kernel, \"{}\", \"{}\")) {{\n", shape.global.size(),
                  needs_local(shape) ? " && local" : "", shape.kernel, marker_of(shape.kernel));
  out += fmt::format("        const size_t new_global[{}] = {{{}}};\n", global.size(), join(global, ", "));
  if (!local.empty())
    out += fmt::format("        const size_t new_local[{}] = {{{}}};\n", local.size(), join(local, ", "));
  out +=
      fmt::format("        return {}(queue, kernel, dimensions, offset, new_global, {}, waits, wait, event);\n    }}\n",
                  enqueue_name, local.empty() ? "NULL" : "new_local");
  return out;
}

constexpr std::string_view header_begin =
    R"(/* Launches as clEnqueueNDRangeKernel does, and gives kernels that were rewritten the sizes they were rewritten for.
   A rewritten kernel is known by its name and by an empty kernel beside it in its program; every other kernel, also one
   of the same name in another program, is launched as it was. */
#ifndef HONE_LAUNCH_H
#define HONE_LAUNCH_H

#include <stdlib.h>
#include <string.h>

static int hone_is_new(cl_kernel kernel, const char *wanted, const char *marker)
{
    cl_program program;
    char name[256];
    char *all, *at;
    const size_t length = strlen(marker);
    size_t size = 0;
    int found = 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) != CL_SUCCESS || strcmp(name, wanted) != 0)
        return 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) != CL_SUCCESS
        || clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return 0;
    all = (char *)malloc(size + 1);
    if (all && clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, all, NULL) == CL_SUCCESS) {
        all[size] = 0;
        for (at = all; (at = strstr(at, marker)) != NULL; at += length)
            found = found || ((at == all || at[-1] == ';') && (at[length] == ';' || at[length] == 0));
    }
    free(all);
    return found;
}

static cl_int hone_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event)
{
)";
constexpr std::string_view header_end =
    R"(    return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}

#endif
)";

}  // namespace

std::string marker_of(const std::string& kernel) { return "hone_marks_" + kernel; }

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
  const std::string_view text(file->second);
  if (text.substr(call.call.begin, enqueue_name.size()) != enqueue_name ||
      call.call.end <= call.call.begin + enqueue_name.size())
    return call.why.empty() ? "the launch is no call of " + std::string(enqueue_name) : call.why;
  if (!behind_includes(file->second, call.call.begin)) return "the file includes nothing";
  if (files.contains(beside(call.file))) return std::string(header_name) + " is already there";
  for (const auto& [name, other] : files)
    if (other.find("clCreateKernelsInProgram") != std::string::npos ||
        other.find("createKernels(") != std::string::npos)
      return name + " takes every kernel of a program, and would take the marker too";
  return {};
}

Result<Adapted> adapt_launches(const std::vector<LaunchShape>& shapes, const std::vector<PassingKernels>& calls,
                               const Files& files) {
  Adapted out;
  std::string header(header_begin);
  for (const auto& shape : shapes) {
    auto branch = branch_of(shape);
    if (!branch) return fail(std::move(branch).error());
    header += *branch;
  }
  header += header_end;
  std::set<std::string> including;
  for (const auto& call : calls) {
    const bool concerned =
        std::ranges::any_of(shapes, [&](const LaunchShape& shape) { return may_launch(call, shape.kernel); });
    if (!concerned) continue;
    if (const auto why = not_adaptable(call, files); !why.empty()) return fail("E-LAUNCHSITE", call.place + ": " + why);
    const auto begin = call.call.begin;
    out.edits[call.file].push_back({{begin, begin + enqueue_name.size()}, "hone_enqueue"});
    if (!including.insert(call.file).second) continue;
    const auto& text = files.at(call.file);
    const std::string newline = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    const auto place = *behind_includes(text, begin);
    out.edits[call.file].push_back({{place, place}, fmt::format("{}#include \"{}\"", newline, header_name)});
    out.added[beside(call.file)] = header;
  }
  return out;
}

}  // namespace hone::patch
