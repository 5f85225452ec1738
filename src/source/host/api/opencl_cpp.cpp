// OpenCL's C++ bindings: objects are handles, methods take values.
#include <algorithm>

#include "source/host/api/device_facts.hpp"
#include "source/host/api/every_kernel.hpp"
#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

HostValue binding_record(const std::string& of, std::map<std::string, HostValue> fields) {
  HostValue out = record(of);
  auto parts = std::make_shared<Parts>();
  parts->fields = std::move(fields);
  out.parts = std::move(parts);
  return out;
}

void all_values(ApiCall& call) {
  for (std::size_t i = 0; i < call.count(); ++i) call.value(i);
}

bool is_text(ApiCall& call, std::size_t i) {
  return i < call.count() && call.machine.text_value(call.value(i)).has_value();
}

HostValue made_handle(ApiCall& call) {
  all_values(call);
  if (call.count() == 1 && call.value(0).is(VK::Handle)) return call.value(0);
  return handle("object", call.machine.make(record("#object")));
}

/// What the bindings build with where a program is built as it is made: those of OpenCL 2 and later say so themselves.
std::string options_of_bindings(const Files& files) {
  for (const auto& [name, contents] : files)
    if (contents.find("CL_HPP_CL_1_2_DEFAULT_BUILD") != std::string::npos ||
        contents.find("CL/cl.hpp") != std::string::npos)
      return "";
  return "-cl-std=CL2.0";
}

HostValue made_program(ApiCall& call) {  // (context, text), (context, sources), (text), (context, text, build)
  auto& m = call.machine;
  HostValue made = binding_record("#program", {{"place", text(m.place_of(call.node))}});
  auto parts = std::make_shared<Parts>(*made.parts);
  std::int64_t next = 0;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const auto value = call.value(i);
    if (value.is_handle("program")) return value;
    if (const auto source = m.text_value(value)) {
      parts->elements[next++] = *source;
      if (i + 1 < call.count() && call.value(i + 1).whole() == 1)  // built at once
        parts->fields["options"] = text(options_of_bindings(m.files()));
      break;
    }
    if (value.is(VK::Record) && (value.text == "std::vector" || value.text == "std::initializer_list") &&
        value.parts->size) {
      for (const auto& [index, element] : value.parts->elements) {
        HostValue one = element;
        if (one.parts && one.parts->fields.contains("first")) one = one.parts->fields.at("first");  // (text, length)
        const auto source = m.text_value(one);
        parts->elements[next++] = source ? *source : unknown("a text that is not known");
      }
    }
  }
  made.parts = std::move(parts);
  return handle("program", m.make(std::move(made)));
}

HostValue built(ApiCall& call) {
  auto& m = call.machine;
  const auto program = call.object_value();
  HostValue options = text("");
  for (std::size_t i = 0; i < call.count(); ++i) {
    const auto value = call.value(i);
    if (const auto words = m.text_value(value))
      options = *words;
    else if (i <= 1 && value.is(VK::Unknown) && call.count() > 1 && i == 1)
      options = value;
  }
  if (program.is_handle("program")) {
    m.store(Location{program.at.slot, {}, false}.field("options"), options);
    m.store(Location{program.at.slot, {}, false}.field("built"), text(m.place_of(call.node)));
  }
  return number(0);
}

HostValue made_kernel(ApiCall& call) {  // (program, name)
  auto& m = call.machine;
  if (call.count() == 0) return HostValue{};
  if (call.value(0).is_handle("kernel")) return call.value(0);
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (!is_text(call, i)) continue;
    return handle("kernel", m.make(binding_record("#kernel", {{"name", text(m.text_value(call.value(i))->text)},
                                                              {"program", call.value(0)}})));
  }
  return unknown("a kernel whose name is not known");
}

HostValue made_cpp_buffer(ApiCall& call) {  // (context, flags, bytes), (flags, bytes), (context, begin, end, read_only)
  auto& m = call.machine;
  if (call.count() == 0) return HostValue{};
  if (call.value(0).is_handle("buffer")) return call.value(0);
  for (std::size_t i = 0; i + 1 < call.count(); ++i) {
    const bool pair_of_numbers = call.value(i).is(VK::Number) && !call.value(i + 1).is(VK::Pointer);
    if (pair_of_numbers && i <= 1) return handle("buffer", m.make_buffer(call.node, call.value(i), call.value(i + 1)));
  }
  for (std::size_t i = 0; i + 1 < call.count() && i < 2; ++i) {
    const auto first = call.value(i);
    const auto last = call.value(i + 1);
    if (!first.is(VK::Pointer)) continue;
    HostValue count = m.arithmetic("-", last, first, nullptr);
    auto base = first.at;
    if (!base.path.empty() && base.path.back().field.empty()) base.path.pop_back();
    const auto held = m.load(base);
    if (held.parts && held.parts->size) count = *held.parts->size;
    const auto element = m.element_bytes(*call.arguments[i]);
    HostValue bytes = element > 0 ? m.arithmetic("*", count, number(element), nullptr)
                                  : unknown("elements of a size that is not known");
    bytes.from = Provenance::Kind::Inferred;
    const bool read_only = call.count() > i + 2 && call.value(i + 2).whole() == 1;
    return handle("buffer", m.make_buffer(call.node, number(read_only ? 4 : 1), bytes));
  }
  return handle("buffer", m.make_buffer(call.node, unknown("flags"), unknown("bytes that are not known")));
}

HostValue made_image(ApiCall& call) {  // (context, flags, format, width, height, ...)
  auto& m = call.machine;
  if (call.count() == 0) return HostValue{};
  if (call.value(0).is_handle("image")) return call.value(0);
  const auto slot = m.make_buffer(call.node, call.value(1), unknown("an image"));
  HostValue held = m.load({slot, {}, false});
  held.text = "#image";
  auto parts = std::make_shared<Parts>(*held.parts);
  parts->fields["width"] = call.value(3);
  parts->fields["height"] = call.value(4);
  if (const auto format = call.value(2); format.parts) {
    if (format.parts->elements.contains(0)) parts->fields["order"] = format.parts->elements.at(0);
    if (format.parts->elements.contains(1)) parts->fields["type"] = format.parts->elements.at(1);
  }
  held.parts = std::move(parts);
  m.store({slot, {}, false}, held);
  return handle("image", slot);
}

HostValue listed(ApiCall& call, const std::string& of) {
  HostValue out = record(of);
  auto parts = std::make_shared<Parts>();
  for (std::size_t i = 0; i < call.count(); ++i) parts->elements[static_cast<std::int64_t>(i)] = call.value(i);
  out.parts = std::move(parts);
  return out;
}
HostValue made_range(ApiCall& call) {
  if (call.count() == 1 && call.value(0).is(VK::Record) && call.value(0).text == "#range") return call.value(0);
  return listed(call, "#range");
}
HostValue made_format(ApiCall& call) { return listed(call, "#format"); }
HostValue made_enqueue_args(ApiCall& call) { return listed(call, "#enqueue"); }
HostValue made_local(ApiCall& call) {
  return handle("local", call.machine.make(binding_record("#local", {{"bytes", call.value(0)}})));
}

HostValue plain_argument(ApiCall& call, const HostValue& value, const Node* written) {
  auto& m = call.machine;
  return binding_record("#argument", {{"value", value},
                                      {"text", text(written != nullptr ? m.source_of(*written) : "")},
                                      {"place", text(m.place_of(call.node))}});
}

HostValue set_arg(ApiCall& call) {  // (position, value), (position, bytes, pointer)
  auto& m = call.machine;
  const auto kernel = call.object != nullptr ? m.kernel_at(*call.object, call.object_value()) : HostValue{};
  const auto position = call.value(0).whole();
  if (!position || !kernel.is_handle("kernel")) {
    m.note(m.place_of(call.node) + ": an argument is set of a kernel that could not be followed");
    return number(0);
  }
  if (call.count() == 3) {
    const auto from = call.value(2);
    auto argument = plain_argument(call, from.is(VK::Null) ? from : m.pointed(from), call.written(2));
    auto parts = std::make_shared<Parts>(*argument.parts);
    parts->fields["bytes"] = call.value(1);
    parts->fields["address"] = number(1);
    argument.parts = std::move(parts);
    m.set_argument(kernel, *position, std::move(argument));
    return number(0);
  }
  m.set_argument(kernel, *position, plain_argument(call, call.value(1), call.written(1)));
  return number(0);
}

bool is_empty_range(const HostValue& value) {
  const bool range = value.is(VK::Record) && (value.text == "#range" || value.text == "cl::NDRange");
  return value.is(VK::Null) || (range && value.parts && value.parts->elements.empty()) ||
         (value.is(VK::Unknown) && value.text.find("NullRange") != std::string::npos);
}

std::vector<HostValue> range_sizes(ApiCall& call, const HostValue& value) {
  if (value.is(VK::Record) && value.text == "#range") return call.machine.sizes_at(value, 3);
  if (value.is(VK::Number)) return {value};
  if (value.parts) return call.machine.sizes_at(value, value.parts->elements.size());
  return {value};
}

constexpr SizePlaces range_places = {SizePlaces::Form::Ranges, -1, 1, 2, 3};

HostValue enqueue_range(ApiCall& call) {  // (kernel, offset, global, local, ...)
  Machine::LaunchRequest request;
  if (call.count() < 3) return number(0);
  request.kernel = call.machine.kernel_at(*call.written(0), call.value(0));
  request.global = range_sizes(call, call.value(2));
  request.local_is_null = call.count() < 4 || is_empty_range(call.value(3));
  if (!request.local_is_null) request.local = range_sizes(call, call.value(3));
  if (call.count() > 1 && !is_empty_range(call.value(1))) request.offset = range_sizes(call, call.value(1));
  request.written = call.arguments;
  request.sizes = &range_places;
  call.machine.launch(call.node, std::move(request));
  return number(0);
}

HostValue enqueue_one(ApiCall& call) {
  Machine::LaunchRequest request;
  request.kernel = call.value(0);
  request.global = {number(1)};
  request.local = {number(1)};
  request.written = call.arguments;
  call.machine.launch(call.node, std::move(request));
  return number(0);
}

/// The sizes of cl::EnqueueArgs(queue, [events,] [offset,] global[, local]), in order, and where each stands in it.
std::vector<std::pair<std::int64_t, HostValue>> ranges_of(const HostValue& arguments) {
  std::vector<std::pair<std::int64_t, HostValue>> out;
  if (!arguments.is(VK::Record) || arguments.text != "#enqueue") return out;
  for (const auto& [index, part] : arguments.parts->elements) {
    const bool range = part.is(VK::Record) && part.text == "#range";
    if (range || part.is(VK::Number)) out.emplace_back(index, part);
  }
  return out;
}

/// What is written at a position of the cl::EnqueueArgs made in a call; for one that was made before, its name.
std::string written_in_args(ApiCall& call, std::int64_t position) {
  const auto* args = call.written(0);
  while (args != nullptr && args->text != "cl::EnqueueArgs" && args->parts.size() == 1) args = &args->parts[0];
  if (args == nullptr) return {};
  const bool here = args->text == "cl::EnqueueArgs" && static_cast<std::size_t>(position) < args->parts.size();
  return call.machine.source_of(here ? args->parts[static_cast<std::size_t>(position)] : *call.written(0));
}

/// f(EnqueueArgs(queue, [events,] [offset,] global[, local]), a, b, ...)
HostValue call_functor(ApiCall& call) {
  Machine::LaunchRequest request;
  request.kernel = call.object_value();
  auto ranges = ranges_of(call.value(0));
  if (ranges.size() >= 3) {
    if (!is_empty_range(ranges[0].second)) request.offset = range_sizes(call, ranges[0].second);
    ranges.erase(ranges.begin());
  }
  request.global = {unknown("EnqueueArgs was not followed")};
  if (!ranges.empty()) {
    request.global = range_sizes(call, ranges[0].second);
    request.global_text = written_in_args(call, ranges[0].first);
  }
  request.local_is_null = ranges.size() < 2 || is_empty_range(ranges[1].second);
  if (!request.local_is_null) {
    request.local = range_sizes(call, ranges[1].second);
    request.local_text = written_in_args(call, ranges[1].first);
  }
  for (std::size_t i = 1; i < call.count(); ++i)
    request.arguments[i - 1] = plain_argument(call, call.value(i), call.written(i));
  request.written = call.arguments;
  call.machine.launch(call.node, std::move(request));
  return HostValue{};
}

HostValue cpp_read(ApiCall& call) {  // (buffer, blocking, offset, bytes, pointer)
  call.machine.copied_out(call.value(0), call.value(4), call.node);
  return number(0);
}
HostValue cpp_write(ApiCall& call) {
  call.machine.copied_in(call.value(0), call.value(4), call.node);
  return number(0);
}
HostValue cpp_read_image(ApiCall& call) {  // (image, blocking, origin, region, pitch, pitch, pointer)
  call.machine.copied_out(call.value(0), call.value(6), call.node);
  return number(0);
}
HostValue cpp_write_image(ApiCall& call) {
  call.machine.copied_in(call.value(0), call.value(6), call.node);
  return number(0);
}
HostValue cpp_copy(ApiCall& call) {  // copy([queue,] begin, end, buffer) or copy([queue,] buffer, begin, end)
  auto& m = call.machine;
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (!call.value(i).is_handle("buffer")) continue;
    if (i + 1 < call.count()) {
      m.copied_out(call.value(i), call.value(i + 1), call.node);
    } else if (i >= 2) {
      m.copied_in(call.value(i), call.value(i - 2), call.node);
    }
    break;
  }
  return number(0);
}
HostValue nothing_else(ApiCall& call) {
  all_values(call);
  return number(0);
}
HostValue fills_list(ApiCall& call) {  // Platform::get(&list), getDevices(type, &list)
  auto& m = call.machine;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const auto to = call.value(i);
    if (!to.is(VK::Pointer)) continue;
    HostValue list = record("std::vector");
    auto parts = std::make_shared<Parts>();
    parts->elements[0] = handle("object", m.make(record("#object")));
    parts->size = number(1);
    list.parts = std::move(parts);
    m.give(to, std::move(list));
  }
  return number(0);
}
/// getInfo<WHAT>(..., error) gives what was asked for, getInfo(WHAT, &place) puts it there.
HostValue answered(ApiCall& call, const HostValue& value) {
  if (call.machine.source_of(call.node).find('<') != std::string::npos) return value;
  for (std::size_t i = 0; i < call.count(); ++i)
    if (const auto to = call.value(i); to.is(VK::Pointer)) call.machine.give(to, value);
  return call.count() > 1 ? number(0) : value;
}
HostValue device_property(ApiCall& call) {
  all_values(call);
  return answered(call, device_fact(std::string_view(call.machine.source_of(call.node))));
}
HostValue kernel_property(ApiCall& call) {
  const bool name = call.machine.source_of(call.node).find("CL_KERNEL_FUNCTION_NAME") != std::string::npos;
  if (!name) return device_property(call);
  all_values(call);
  return answered(call, name_asked(call.machine, call.object_value()));
}
HostValue makes_every_kernel(ApiCall& call) {  // createKernels(&list)
  auto& m = call.machine;
  const auto kernels = every_kernel(m, call.object_value());
  HostValue list = record("std::vector");
  auto parts = std::make_shared<Parts>();
  for (std::size_t i = 0; i < kernels.size(); ++i) parts->elements[static_cast<std::int64_t>(i)] = kernels[i];
  parts->size = kernels.empty() ? unknown("how many kernels") : number(static_cast<std::int64_t>(kernels.size()));
  list.parts = std::move(parts);
  m.give(call.value(0), std::move(list));
  return number(0);
}

const Row cpp_rows[] = {
    {"cl::Context", made_handle, false, {}},
    {"cl::CommandQueue", made_handle, false, {}},
    {"cl::Device", made_handle, false, {}},
    {"cl::Platform", made_handle, false, {}},
    {"cl::Event", made_handle, false, {}},
    {"cl::Platform::get", fills_list, false, {}},
    {"cl::Platform::getDevices", fills_list, false, {}},
    {"cl::Device::getInfo", device_property, false, {}},
    {"cl::Platform::getInfo", device_property, false, {}},
    {"cl::Kernel::getWorkGroupInfo", device_property, false, {}},
    {"cl::Kernel::getInfo", kernel_property, false, {}},
    {"cl::Program::createKernels", makes_every_kernel, false, {}},
    {"cl::Program::getBuildInfo", device_property, false, {}},
    {"cl::Event::getProfilingInfo", device_property, false, {}},
    {"cl::Program", made_program, false, {}},
    {"cl::Program::build", built, false, {}},
    {"cl::Program::compile", built, false, {}},
    {"cl::Kernel", made_kernel, false, {}},
    {"cl::KernelFunctor", made_kernel, false, {}},
    {"cl::make_kernel", made_kernel, false, {}},
    {"cl::compatibility::make_kernel", made_kernel, false, {}},
    {"cl::Kernel::setArg", set_arg, false, {}},
    {"cl::Buffer", made_cpp_buffer, false, {}},
    {"cl::Image2D", made_image, false, {}},
    {"cl::Image3D", made_image, false, {}},
    {"cl::ImageFormat", made_format, false, {}},
    {"cl::NDRange", made_range, false, {}},
    {"cl::Local", made_local, false, {}},
    {"cl::__local", made_local, false, {}},
    {"cl::EnqueueArgs", made_enqueue_args, false, {}},
    {"cl::KernelFunctor::operator()", call_functor, true, {}},
    {"cl::CommandQueue::enqueueNDRangeKernel", enqueue_range, true, range_places},
    {"cl::CommandQueue::enqueueTask", enqueue_one, true, {}},
    {"cl::CommandQueue::enqueueReadBuffer", cpp_read, false, {}},
    {"cl::CommandQueue::enqueueWriteBuffer", cpp_write, false, {}},
    {"cl::CommandQueue::enqueueReadImage", cpp_read_image, false, {}},
    {"cl::CommandQueue::enqueueWriteImage", cpp_write_image, false, {}},
    {"cl::CommandQueue::enqueueCopyBuffer", nothing_else, false, {}},
    {"cl::CommandQueue::enqueueFillBuffer", nothing_else, false, {}},
    {"cl::CommandQueue::enqueueMapBuffer", device_property, false, {}},
    {"cl::CommandQueue::enqueueUnmapMemObject", nothing_else, false, {}},
    {"cl::CommandQueue::finish", nothing_else, false, {}},
    {"cl::CommandQueue::flush", nothing_else, false, {}},
    {"cl::copy", cpp_copy, false, {}},
};

}  // namespace

std::span<const Row> opencl_cpp_rows() { return cpp_rows; }

}  // namespace hone::host
