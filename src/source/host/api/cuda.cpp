// CUDA's and HIP's runtimes; `<<<>>>` is a node of its own and is read by the interpreter.
#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

HostValue fine() { return number(0); }

HostValue cuda_argument(const HostValue& value, std::string words) {
  HostValue out = record("#argument");
  auto parts = std::make_shared<Parts>();
  parts->fields["value"] = value;
  parts->fields["text"] = text(std::move(words));
  out.parts = std::move(parts);
  return out;
}

HostValue allocate(ApiCall& call) {  // (&pointer, bytes)
  auto& m = call.machine;
  const auto to = call.value(0);
  m.give(to, handle("buffer", m.make_buffer(call.node, number(1), call.value(1))));
  return fine();
}

/// (&pointer, &pitch, width, height): rows as long as they are asked for.
HostValue allocate_pitched(ApiCall& call) {
  auto& m = call.machine;
  const auto width = call.value(2);
  m.give(call.value(1), width);
  m.give(call.value(0),
         handle("buffer", m.make_buffer(call.node, number(1), m.arithmetic("*", width, call.value(3), nullptr))));
  return fine();
}

HostValue allocate_host(ApiCall& call) {
  call.value(1);
  call.machine.give(call.value(0), pointer(Location{call.machine.make(array()), {}, false}.element(0)));
  return fine();
}

HostValue copy_memory(ApiCall& call) {  // (to, from, bytes, ...)
  auto& m = call.machine;
  const auto to = call.value(0);
  const auto from = call.value(1);
  if (from.is_handle("buffer") && !to.is_handle("buffer")) {
    m.copied_out(from, to, call.node);
  } else if (to.is_handle("buffer")) {
    m.copied_in(to, from, call.node);
  }
  return fine();
}

HostValue evaluated(ApiCall& call) {
  for (std::size_t i = 0; i < call.count(); ++i) call.value(i);
  return fine();
}

HostValue property(ApiCall& call) {
  for (std::size_t i = 0; i < call.count(); ++i) {
    const auto to = call.value(i);
    if (to.is(VK::Pointer)) call.machine.give(to, unknown("a property of the device"));
  }
  return fine();
}

HostValue device_count(ApiCall& call) {
  call.machine.give(call.value(0), number(1));
  return fine();
}

Machine::LaunchRequest grid_request(ApiCall& call, std::size_t kernel, std::size_t grid_at, std::size_t block_at) {
  auto& m = call.machine;
  Machine::LaunchRequest request;
  request.kernel = call.value(kernel);
  if (request.kernel.is(VK::Function)) {
    request.kernel_name = request.kernel.text;
    if (const auto cut = request.kernel_name.rfind("::"); cut != std::string::npos)
      request.kernel_name.erase(0, cut + 2);
  }
  const auto grid = m.sizes_at(call.value(grid_at), 3);
  request.local = m.sizes_at(call.value(block_at), 3);
  for (std::size_t d = 0; d < grid.size(); ++d)
    request.global.push_back(
        m.arithmetic("*", grid[d], d < request.local.size() ? request.local[d] : number(1), nullptr));
  request.written = call.arguments;
  request.grid_text = m.source_of(*call.arguments[grid_at]);
  request.block_text = m.source_of(*call.arguments[block_at]);
  return request;
}

HostValue launch_ggl(ApiCall& call) {  // (kernel, grid, block, shared, stream, arguments...)
  auto request = grid_request(call, 0, 1, 2);
  for (std::size_t i = 5; i < call.count(); ++i)
    request.arguments[i - 5] = cuda_argument(call.value(i), call.machine.source_of(*call.arguments[i]));
  request.shared = call.value(3);
  call.machine.launch(call.node, std::move(request));
  return fine();
}

void arguments_behind(ApiCall& call, const HostValue& list, Machine::LaunchRequest& request) {
  auto& m = call.machine;
  for (std::int64_t i = 0; i < 64; ++i) {
    const auto one = m.pointed(list, i);
    if (!one.is(VK::Pointer)) break;
    request.arguments[static_cast<std::size_t>(i)] = cuda_argument(m.pointed(one), "");
  }
}

HostValue launch_by_list(ApiCall& call) {  // (kernel, grid, block, arguments, shared, stream)
  auto request = grid_request(call, 0, 1, 2);
  arguments_behind(call, call.value(3), request);
  request.shared = call.value(4);
  call.machine.launch(call.node, std::move(request));
  return fine();
}

HostValue launch_driver(ApiCall& call) {  // (function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra)
  auto& m = call.machine;
  Machine::LaunchRequest request;
  request.kernel = call.value(0);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto block = call.value(4 + d);
    request.local.push_back(block);
    request.global.push_back(m.arithmetic("*", call.value(1 + d), block, nullptr));
  }
  while (request.global.size() > 1 && request.global.back().whole() == 1 && request.local.back().whole() == 1) {
    request.global.pop_back();
    request.local.pop_back();
  }
  arguments_behind(call, call.value(9), request);
  request.shared = call.value(7);
  request.written = call.arguments;
  m.launch(call.node, std::move(request));
  return fine();
}

HostValue get_function(ApiCall& call) {  // (&function, module, name)
  auto& m = call.machine;
  if (const auto name = m.text_value(call.value(2))) {
    HostValue kernel = record("#kernel");
    auto parts = std::make_shared<Parts>();
    parts->fields["name"] = text(name->text);
    kernel.parts = std::move(parts);
    m.give(call.value(0), handle("kernel", m.make(std::move(kernel))));
  }
  return fine();
}

HostValue made_dim3(ApiCall& call) {
  if (call.count() == 1 && call.value(0).is(VK::Record)) return call.value(0);
  HostValue out = record("dim3");
  auto parts = std::make_shared<Parts>();
  const char* names[] = {"x", "y", "z"};
  for (std::size_t d = 0; d < 3; ++d) parts->fields[names[d]] = d < call.count() ? call.value(d) : number(1);
  out.parts = std::move(parts);
  return out;
}

constexpr SizePlaces grid_places = {SizePlaces::Form::Grid, -1, -1, 1, 2};

const Row grid_rows[] = {
    {"dim3", made_dim3, false, {}},
    {"cudaMalloc", allocate, false, {}},
    {"cudaMallocManaged", allocate, false, {}},
    {"cudaMallocAsync", allocate, false, {}},
    {"cudaMallocPitch", allocate_pitched, false, {}},
    {"cudaMallocHost", allocate_host, false, {}},
    {"cudaHostAlloc", allocate_host, false, {}},
    {"cudaMemcpy", copy_memory, false, {}},
    {"cudaMemcpyAsync", copy_memory, false, {}},
    {"cudaMemset", evaluated, false, {}},
    {"cudaMemcpyToSymbol", evaluated, false, {}},
    {"cudaGetDeviceCount", device_count, false, {}},
    {"cudaGetDeviceProperties", property, false, {}},
    {"cudaEventElapsedTime", property, false, {}},
    {"cudaDeviceSynchronize", evaluated, false, {}},
    {"cudaGetLastError", evaluated, false, {}},
    {"cudaFree", evaluated, false, {}},
    {"cudaSetDevice", evaluated, false, {}},
    {"cudaLaunchKernel", launch_by_list, true, grid_places},
    {"cudaLaunchCooperativeKernel", launch_by_list, true, grid_places},
    {"cuMemAlloc", allocate, false, {}},
    {"cuMemcpyHtoD", copy_memory, false, {}},
    {"cuModuleGetFunction", get_function, false, {}},
    {"cuLaunchKernel", launch_driver, true, {}},
    {"hipMalloc", allocate, false, {}},
    {"hipMallocManaged", allocate, false, {}},
    {"hipMallocAsync", allocate, false, {}},
    {"hipMallocPitch", allocate_pitched, false, {}},
    {"hipHostMalloc", allocate_host, false, {}},
    {"hipHostAlloc", allocate_host, false, {}},
    {"hipMallocHost", allocate_host, false, {}},
    {"hipMemcpy", copy_memory, false, {}},
    {"hipMemcpyAsync", copy_memory, false, {}},
    {"hipMemset", evaluated, false, {}},
    {"hipMemcpyToSymbol", evaluated, false, {}},
    {"hipGetDeviceCount", device_count, false, {}},
    {"hipGetDeviceProperties", property, false, {}},
    {"hipEventElapsedTime", property, false, {}},
    {"hipDeviceSynchronize", evaluated, false, {}},
    {"hipGetLastError", evaluated, false, {}},
    {"hipFree", evaluated, false, {}},
    {"hipModuleGetFunction", get_function, false, {}},
    {"hipModuleLaunchKernel", launch_driver, true, {}},
    {"hipLaunchKernelGGL", launch_ggl, true, grid_places},
    {"hipLaunchKernel", launch_by_list, true, grid_places},
};

}  // namespace

std::span<const Row> cuda_rows() { return grid_rows; }

}  // namespace hone::host
