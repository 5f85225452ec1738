// OpenCL's C interface.
#include <algorithm>

#include "source/host/api/device_facts.hpp"
#include "source/host/api/every_kernel.hpp"
#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

HostValue succeeded() { return number(0); }

HostValue with_fields(const std::string& of, std::map<std::string, HostValue> fields) {
  HostValue out = record(of);
  auto parts = std::make_shared<Parts>();
  parts->fields = std::move(fields);
  out.parts = std::move(parts);
  return out;
}

/// The error code that the last argument points to.
void no_error(ApiCall& call, std::size_t position) { call.machine.give(call.value(position), number(0)); }

void evaluate_all(ApiCall& call) {
  for (std::size_t i = 0; i < call.count(); ++i) call.value(i);
}

HostValue opaque_handle(ApiCall& call, const char* of, std::size_t error) {
  evaluate_all(call);
  no_error(call, error);
  return handle(of, call.machine.make(record(std::string("#") + of)));
}

HostValue create_context(ApiCall& call) { return opaque_handle(call, "context", call.count() - 1); }
HostValue create_queue(ApiCall& call) { return opaque_handle(call, "queue", 3); }

HostValue get_ids(ApiCall& call) {  // platforms: count, list, found; devices: platform, type, count, list, found
  const bool devices = call.count() >= 5;
  const auto list = call.value(devices ? 3 : 1);
  const auto found = call.value(devices ? 4 : 2);
  if (list.is(VK::Pointer))
    call.machine.give(list, handle(devices ? "device" : "platform", call.machine.make(record("#device"))));
  call.machine.give(found, number(1));
  return succeeded();
}

HostValue get_info(ApiCall& call) {  // object, what, bytes, value, bytes found
  const auto value_at = call.count() >= 6 ? 4U : 3U;
  const auto to = call.value(value_at);
  const auto what = call.value(value_at - 2).whole();
  HostValue value = device_fact(what.value_or(0));
  if (what == 0x1181) value = number(0);                                // CL_BUILD_SUCCESS
  if (what == 0x1190) value = name_asked(call.machine, call.value(0));  // CL_KERNEL_FUNCTION_NAME
  if (what == 0x1167 && call.value(0).is_handle("program"))             // CL_PROGRAM_NUM_KERNELS
    value = number(static_cast<std::int64_t>(every_kernel(call.machine, call.value(0)).size()));
  if (to.is(VK::Pointer)) {
    auto at = to.at;
    if (!at.path.empty() && at.path.back().field.empty() && !call.machine.load(at).is(VK::Number) &&
        at.path.back().index == 0) {
      at.path.pop_back();
      call.machine.store(at, value);
    } else {
      call.machine.store(at, value);
    }
  }
  if (call.count() > value_at + 1) call.machine.give(call.value(value_at + 1), unknown("a property of the device"));
  return succeeded();
}

HostValue create_program(ApiCall& call) {  // context, count, texts, lengths, error
  auto& m = call.machine;
  const auto count = call.value(1).whole().value_or(1);
  const auto texts = call.value(2);
  HostValue made = with_fields("#program", {{"place", text(m.place_of(call.node))}});
  auto parts = std::make_shared<Parts>(*made.parts);
  for (std::int64_t i = 0; i < std::clamp<std::int64_t>(count, 0, 256); ++i) {
    const auto one = m.pointed(texts, i);
    const auto source = m.text_value(one);
    parts->elements[i] =
        source ? *source : unknown(one.is(VK::Unknown) && !one.text.empty() ? one.text : "a text that is not known");
  }
  made.parts = std::move(parts);
  no_error(call, 4);
  return handle("program", m.make(std::move(made)));
}

HostValue create_program_otherwise(ApiCall& call) {
  evaluate_all(call);
  no_error(call, call.count() - 1);
  return handle("program",
                call.machine.make(with_fields("#program", {{"place", text(call.machine.place_of(call.node))}})));
}

HostValue build_program(ApiCall& call) {  // program, devices, list, options
  auto& m = call.machine;
  const auto program = call.value(0);
  const auto options = call.value(3);
  const auto slot = program.is_handle("program") ? program.at.slot : m.make(record("#program"));
  {  // what a program that could not be followed is built with is known all the same
    const auto words = options.is(VK::Null) ? std::optional(text("")) : m.text_value(options);
    HostValue missing =
        unknown(options.is(VK::Unknown) && !options.text.empty() ? options.text : "options that are not known");
    m.store(Location{slot, {}, false}.field("options"), words ? *words : missing);
    m.store(Location{slot, {}, false}.field("place"), text(m.place_of(call.node)));
  }
  return succeeded();
}

HostValue create_kernel(ApiCall& call) {  // program, name, error
  auto& m = call.machine;
  const auto program = call.value(0);
  const auto given = call.value(1);
  const auto name = m.text_value(given);
  no_error(call, 2);
  if (!name)
    return unknown("a kernel whose name is not known" +
                   (given.is(VK::Unknown) && !given.text.empty() ? ": " + given.text : std::string()));
  return handle("kernel", m.make(with_fields("#kernel", {{"name", text(name->text)}, {"program", program}})));
}

HostValue create_buffer(ApiCall& call) {  // context, flags, bytes, host pointer, error
  const auto flags = call.value(1);
  const auto bytes = call.value(2);
  call.value(3);
  no_error(call, 4);
  return handle("buffer", call.machine.make_buffer(call.node, flags, bytes));
}

HostValue create_sub_buffer(ApiCall& call) {  // buffer, flags, type, region, error
  const auto region = call.machine.pointed(call.value(3));
  HostValue bytes = unknown("a part of a buffer");
  if (region.parts && region.parts->fields.contains("size")) bytes = region.parts->fields.at("size");
  no_error(call, 4);
  return handle("buffer", call.machine.make_buffer(call.node, call.value(1), bytes));
}

HostValue make_image(ApiCall& call, const HostValue& flags, const HostValue& format,
                     std::map<std::string, HostValue> sizes) {
  auto& m = call.machine;
  const auto slot = m.make_buffer(call.node, flags, unknown("an image"));
  HostValue held = m.load({slot, {}, false});
  held.text = "#image";
  auto parts = std::make_shared<Parts>(*held.parts);
  for (auto& [name, value] : sizes) parts->fields[name] = std::move(value);
  if (format.parts) {
    for (const auto& [from, to] :
         {std::pair("image_channel_order", "order"), std::pair("image_channel_data_type", "type")}) {
      const auto found = format.parts->fields.find(from);
      if (found != format.parts->fields.end()) parts->fields[to] = found->second;
    }
  }
  held.parts = std::move(parts);
  m.store({slot, {}, false}, held);
  return handle("image", slot);
}

HostValue create_image(ApiCall& call) {  // context, flags, format, description, host pointer, error
  auto& m = call.machine;
  const auto format = m.pointed(call.value(2));
  const auto described = m.pointed(call.value(3));
  std::map<std::string, HostValue> sizes;
  for (const auto& [from, to] :
       {std::pair("image_width", "width"), std::pair("image_height", "height"), std::pair("image_depth", "depth")}) {
    if (!described.parts) break;
    const auto found = described.parts->fields.find(from);
    if (found != described.parts->fields.end()) sizes[to] = found->second;
  }
  no_error(call, 5);
  return make_image(call, call.value(1), format, std::move(sizes));
}

HostValue create_image_2d(ApiCall& call) {  // context, flags, format, width, height, pitch, host pointer, error
  const bool deep = call.count() >= 10;
  std::map<std::string, HostValue> sizes = {{"width", call.value(3)}, {"height", call.value(4)}};
  if (deep) sizes["depth"] = call.value(5);
  no_error(call, call.count() - 1);
  return make_image(call, call.value(1), call.machine.pointed(call.value(2)), std::move(sizes));
}

HostValue create_sampler(ApiCall& call) {  // context, normalized, addressing, filter, error
  const auto addressing = call.value(2).whole().value_or(0x1131);
  const auto filter = call.value(3).whole().value_or(0x1140);
  std::string words = filter == 0x1141 ? "linear" : "nearest";
  words += addressing == 0x1130   ? " none"
           : addressing == 0x1132 ? " clamp"
           : addressing == 0x1133 ? " repeat"
                                  : " clamp_to_edge";
  if (call.value(1).whole() == 1) words += " normalized";
  no_error(call, 4);
  return handle("sampler", call.machine.make(text(words)));
}

HostValue set_kernel_arg(ApiCall& call) {  // kernel, position, bytes, pointer
  auto& m = call.machine;
  if (call.count() < 4) return succeeded();
  const auto kernel = m.kernel_at(*call.written(0), call.value(0));
  const auto position = call.value(1).whole();
  const auto bytes = call.value(2);
  const auto from = call.value(3);
  if (!kernel.is_handle("kernel")) {
    m.note(m.place_of(call.node) + ": an argument is set of a kernel that could not be followed");
    return succeeded();
  }
  if (!position) {
    m.note(m.place_of(call.node) + ": an argument is set at a position that could not be followed");
    return succeeded();
  }
  const auto* written = call.written(3);
  auto words = written != nullptr ? m.source_of(*written) : std::string();
  if (words.starts_with("&")) words.erase(0, 1);
  HostValue value = from.is(VK::Null) ? from : m.pointed(from);
  if (value.is(VK::Array) && value.parts->elements.contains(0) && bytes.whole() && *bytes.whole() <= 8)
    value = value.parts->elements.at(0);
  m.set_argument(kernel, *position,
                 with_fields("#argument", {{"value", value},
                                           {"bytes", bytes},
                                           {"text", text(words)},
                                           {"address", number(1)},
                                           {"place", text(m.place_of(call.node))}}));
  return succeeded();
}

constexpr SizePlaces nd_range_places = {SizePlaces::Form::Arrays, 2, 3, 4, 5};

HostValue enqueue_nd_range(ApiCall& call) {  // queue, kernel, dimensions, offset, global, local
  auto& m = call.machine;
  Machine::LaunchRequest request;
  if (call.count() < 6) return succeeded();
  request.kernel = m.kernel_at(*call.written(1), call.value(1));
  const auto dimensions = call.value(2).whole();
  const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(dimensions.value_or(1), 1, 3));
  request.global = m.sizes_at(call.value(4), count);
  const auto local = call.value(5);
  request.local_is_null = local.is(VK::Null);
  if (!request.local_is_null) request.local = m.sizes_at(local, count);
  if (!call.value(3).is(VK::Null)) request.offset = m.sizes_at(call.value(3), count);
  request.written = call.arguments;
  request.sizes = &nd_range_places;
  if (!dimensions) {
    request.global = {unknown("how many dimensions is not known")};
    request.local.clear();
  }
  m.launch(call.node, std::move(request));
  return succeeded();
}

HostValue enqueue_task(ApiCall& call) {
  Machine::LaunchRequest request;
  request.kernel = call.value(1);
  request.global = {number(1)};
  request.local = {number(1)};
  request.written = call.arguments;
  call.machine.launch(call.node, std::move(request));
  return succeeded();
}

HostValue read_buffer(ApiCall& call) {  // queue, buffer, blocking, offset, bytes, pointer
  call.machine.copied_out(call.value(1), call.value(5), call.node);
  return succeeded();
}
HostValue write_buffer(ApiCall& call) {
  call.machine.copied_in(call.value(1), call.value(5), call.node);
  return succeeded();
}
HostValue read_image(ApiCall& call) {  // queue, image, blocking, origin, region, row pitch, slice pitch, pointer
  call.machine.copied_out(call.value(1), call.value(7), call.node);
  return succeeded();
}
HostValue write_image(ApiCall& call) {
  call.machine.copied_in(call.value(1), call.value(7), call.node);
  return succeeded();
}
HostValue map_buffer(ApiCall& call) {
  evaluate_all(call);
  no_error(call, call.count() - 1);
  HostValue block = array();
  auto parts = std::make_shared<Parts>();
  parts->rest = unknown("read back from a buffer");
  block.parts = std::move(parts);
  return pointer(Location{call.machine.make(std::move(block)), {}, false}.element(0));
}
HostValue only_evaluates(ApiCall& call) {
  evaluate_all(call);
  return succeeded();
}
HostValue gives_time(ApiCall& call) {  // event, what, bytes, value
  call.machine.give(call.value(3), unknown("the time"));
  return succeeded();
}
HostValue create_kernels(ApiCall& call) {  // program, how many fit, list, found
  auto& m = call.machine;
  const auto kernels = every_kernel(m, call.value(0));
  if (kernels.empty()) m.note(m.place_of(call.node) + ": the kernels of this program are not known");
  const auto list = call.value(2);
  for (std::size_t i = 0; i < kernels.size() && list.is(VK::Pointer); ++i)
    m.store(list.at.moved(static_cast<std::int64_t>(i)), kernels[i]);
  const bool known = !kernels.empty();
  m.give(call.value(3), known ? number(static_cast<std::int64_t>(kernels.size())) : unknown("how many kernels"));
  return succeeded();
}
HostValue svm_alloc(ApiCall& call) {
  const auto bytes = call.value(2);
  return handle("buffer", call.machine.make_buffer(call.node, call.value(1), bytes));
}
HostValue set_svm(ApiCall& call) {
  auto& m = call.machine;
  if (const auto position = call.value(1).whole())
    m.set_argument(call.value(0), *position,
                   with_fields("#argument",
                               {{"value", call.value(2)}, {"text", text("")}, {"place", text(m.place_of(call.node))}}));
  return succeeded();
}

const Row rows[] = {
    {"clGetPlatformIDs", get_ids, false, {}},
    {"clGetDeviceIDs", get_ids, false, {}},
    {"clGetDeviceInfo", get_info, false, {}},
    {"clGetPlatformInfo", get_info, false, {}},
    {"clGetContextInfo", get_info, false, {}},
    {"clGetKernelWorkGroupInfo", get_info, false, {}},
    {"clGetKernelInfo", get_info, false, {}},
    {"clGetProgramInfo", get_info, false, {}},
    {"clGetProgramBuildInfo", get_info, false, {}},
    {"clGetEventInfo", get_info, false, {}},
    {"clGetEventProfilingInfo", gives_time, false, {}},
    {"clCreateContext", create_context, false, {}},
    {"clCreateContextFromType", create_context, false, {}},
    {"clCreateCommandQueue", create_queue, false, {}},
    {"clCreateCommandQueueWithProperties", create_queue, false, {}},
    {"clCreateProgramWithSource", create_program, false, {}},
    {"clCreateProgramWithBinary", create_program_otherwise, false, {}},
    {"clCreateProgramWithIL", create_program_otherwise, false, {}},
    {"clLinkProgram", create_program_otherwise, false, {}},
    {"clBuildProgram", build_program, false, {}},
    {"clCompileProgram", build_program, false, {}},
    {"clCreateKernel", create_kernel, false, {}},
    {"clCreateKernelsInProgram", create_kernels, false, {}},
    {"clCreateBuffer", create_buffer, false, {}},
    {"clCreateSubBuffer", create_sub_buffer, false, {}},
    {"clCreateImage", create_image, false, {}},
    {"clCreateImage2D", create_image_2d, false, {}},
    {"clCreateImage3D", create_image_2d, false, {}},
    {"clCreateSampler", create_sampler, false, {}},
    {"clSetKernelArg", set_kernel_arg, false, {}},
    {"clSetKernelArgSVMPointer", set_svm, false, {}},
    {"clSVMAlloc", svm_alloc, false, {}},
    {"clEnqueueNDRangeKernel", enqueue_nd_range, true, nd_range_places},
    {"clEnqueueTask", enqueue_task, true, {}},
    {"clEnqueueReadBuffer", read_buffer, false, {}},
    {"clEnqueueWriteBuffer", write_buffer, false, {}},
    {"clEnqueueReadImage", read_image, false, {}},
    {"clEnqueueWriteImage", write_image, false, {}},
    {"clEnqueueMapBuffer", map_buffer, false, {}},
    {"clEnqueueMapImage", map_buffer, false, {}},
    {"clEnqueueUnmapMemObject", only_evaluates, false, {}},
    {"clEnqueueCopyBuffer", only_evaluates, false, {}},
    {"clEnqueueFillBuffer", only_evaluates, false, {}},
    {"clEnqueueCopyImage", only_evaluates, false, {}},
    {"clEnqueueCopyBufferToImage", only_evaluates, false, {}},
    {"clEnqueueCopyImageToBuffer", only_evaluates, false, {}},
    {"clFinish", only_evaluates, false, {}},
    {"clFlush", only_evaluates, false, {}},
    {"clWaitForEvents", only_evaluates, false, {}},
    {"clReleaseMemObject", only_evaluates, false, {}},
    {"clReleaseKernel", only_evaluates, false, {}},
    {"clReleaseProgram", only_evaluates, false, {}},
    {"clReleaseCommandQueue", only_evaluates, false, {}},
    {"clReleaseContext", only_evaluates, false, {}},
    {"clReleaseEvent", only_evaluates, false, {}},
    {"clReleaseSampler", only_evaluates, false, {}},
};

}  // namespace

std::span<const Row> opencl_c_rows() { return rows; }

}  // namespace hone::host
