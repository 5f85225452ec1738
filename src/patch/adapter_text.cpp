#include "patch/adapter_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "patch/host_expression.hpp"

namespace hone::patch {
namespace {

constexpr std::string_view begin_of_page =
    R"(/* Launches as {} does, and gives kernels that were rewritten the sizes they were rewritten for.
   A rewritten kernel is known by its name and by an empty kernel beside it in its program; every other kernel, also one
   of the same name in another program, is launched as it was. */
#ifndef HONE_LAUNCH_H
#define HONE_LAUNCH_H

#include <stdlib.h>
#include <string.h>

)";
constexpr std::string_view is_new_kernel =
    R"( int hone_is_new(cl_kernel kernel, const char *wanted, const char *marker)
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
)";
constexpr std::string_view begin_of_arrays =
    R"( cl_int hone_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event)
{
)";
constexpr std::string_view end_of_arrays =
    R"(    return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}
)";
// A guard of its own: the page may have been included before the bindings were.
constexpr std::string_view begin_of_ranges =
    R"(
#if defined(CL_HPP_) && !defined(HONE_LAUNCH_RANGES)
#define HONE_LAUNCH_RANGES

static inline cl_int hone_enqueue_range(const cl::CommandQueue &queue, const cl::Kernel &kernel, const cl::NDRange &offset,
                                        const cl::NDRange &all, const cl::NDRange &group = cl::NullRange,
                                        const std::vector<cl::Event> *waits = NULL, cl::Event *event = NULL)
{
    const size_t *const global = all;
    const size_t *const local = group.dimensions() ? (const size_t *)group : NULL;
    (void)global;
    (void)local;
)";
constexpr std::string_view end_of_ranges =
    R"(    return queue.enqueueNDRangeKernel(kernel, offset, all, group, waits, event);
}

#endif
)";

struct Written {
  std::vector<std::string> global, local;  // in words of the function's parameters
};

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

Result<Written> written(const LaunchShape& shape) {
  const auto names = sizes_of_the_call();
  Written out;
  for (std::size_t i = 0; i < shape.global.size(); ++i) {
    auto size = shape.local.empty() ? host_expression(shape.global[i], names)
                                    : host_rounded(shape.global[i], shape.local[i], names);
    if (!size) return fail(std::move(size).error());
    out.global.push_back(std::move(*size));
  }
  for (const auto& expression : shape.local) {
    auto size = host_expression(expression, names);
    if (!size) return fail(std::move(size).error());
    out.local.push_back(std::move(*size));
  }
  return out;
}

/// One kernel's part of the C function.
std::string branch_of_arrays(const LaunchShape& shape, const Written& sizes) {
  std::string out =
      fmt::format("    if (dimensions == {}{} && hone_is_new(kernel, \"{}\", \"{}\")) {{\n", shape.global.size(),
                  needs_local(shape) ? " && local" : "", shape.kernel, marker_of(shape.kernel));
  out += fmt::format("        const size_t new_global[{}] = {{{}}};\n", sizes.global.size(), join(sizes.global, ", "));
  if (!sizes.local.empty())
    out += fmt::format("        const size_t new_local[{}] = {{{}}};\n", sizes.local.size(), join(sizes.local, ", "));
  out += fmt::format(
      "        return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, new_global, {}, waits, wait, event);\n"
      "    }}\n",
      sizes.local.empty() ? "NULL" : "new_local");
  return out;
}

/// And of the one for the bindings.
std::string branch_of_ranges(const LaunchShape& shape, const Written& sizes) {
  return fmt::format(
      "    if (all.dimensions() == {}{} && hone_is_new(kernel(), \"{}\", \"{}\"))\n"
      "        return queue.enqueueNDRangeKernel(kernel, offset, cl::NDRange({}), {}, waits, event);\n",
      shape.global.size(), needs_local(shape) ? " && local" : "", shape.kernel, marker_of(shape.kernel),
      join(sizes.global, ", "),
      sizes.local.empty() ? "cl::NullRange" : fmt::format("cl::NDRange({})", join(sizes.local, ", ")));
}

}  // namespace

std::string marker_of(const std::string& kernel) { return "hone_marks_" + kernel; }

Result<std::string> adapter_text(const std::vector<LaunchShape>& shapes, const AdapterInterfaces& interfaces) {
  std::string arrays, ranges;
  for (const auto& shape : shapes) {
    const auto sizes = written(shape);
    if (!sizes) return fail(sizes.error());
    arrays += branch_of_arrays(shape, *sizes);
    ranges += branch_of_ranges(shape, *sizes);
  }
  const std::string_view linkage = interfaces.ranges ? "static inline" : "static";  // not every file uses both
  std::string out = fmt::format(begin_of_page, interfaces.arrays ? "clEnqueueNDRangeKernel" : "enqueueNDRangeKernel");
  out += fmt::format("{}{}", linkage, is_new_kernel);
  if (interfaces.arrays) out += fmt::format("\n{}{}{}{}", linkage, begin_of_arrays, arrays, end_of_arrays);
  out += "\n#endif\n";
  if (interfaces.ranges) out += fmt::format("{}{}{}", begin_of_ranges, ranges, end_of_ranges);
  return out;
}

}  // namespace hone::patch
