#include "device/opencl/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "device/opencl/build_log.hpp"
#include "device/opencl/image_format.hpp"

namespace hone::device {

static std::string build_log(cl_program program, cl_device_id device, cl_int status) {
  constexpr std::size_t kLongest = std::size_t{64} << 10U;
  std::size_t size = 0;
  opencl()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  opencl()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  log = without_temporary_names(trim(log.c_str()));
  if (log.empty()) log = status_name(status);
  return log.substr(0, kLongest);
}

static std::string kernel_name(cl_kernel kernel) {
  std::size_t size = 0;
  opencl()->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  opencl()->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  return name.c_str();
}

std::variant<OpenClProgram, BuildLog> OpenClProgram::build(cl_context context, cl_device_id device,
                                                           const std::string& source,
                                                           const std::vector<std::string>& options) {
  const OpenCl& cl = *opencl();
  OpenClProgram built;
  built.device_ = device;
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  built.program_ = Program(cl.clCreateProgramWithSource(context, 1, &text, &length, &status));
  if (status != CL_SUCCESS) return BuildLog{status_name(status)};
  const std::string flags = join(options, " ");
  status = cl.clBuildProgram(built.program_.get(), 1, &device, flags.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) return BuildLog{build_log(built.program_.get(), device, status)};

  cl_uint count = 0;
  status = cl.clCreateKernelsInProgram(built.program_.get(), 0, nullptr, &count);
  std::vector<cl_kernel> kernels(count);
  if (status == CL_SUCCESS && count > 0)
    status = cl.clCreateKernelsInProgram(built.program_.get(), count, kernels.data(), nullptr);
  if (status != CL_SUCCESS) return BuildLog{"listing the kernels of the program: " + status_name(status)};
  for (cl_kernel raw : kernels) {
    Kernel kernel;
    kernel.handle = KernelHandle(raw);
    cl.clGetKernelInfo(raw, CL_KERNEL_NUM_ARGS, sizeof kernel.arguments, &kernel.arguments, nullptr);
    kernel.set.resize(kernel.arguments);
    built.kernels_.emplace(kernel_name(raw), std::move(kernel));
  }
  return built;
}

std::vector<KernelResources> OpenClProgram::resources() const {
  std::vector<KernelResources> all;
  for (const auto& [name, kernel] : kernels_) {
    KernelResources resources{.kernel = name, .numbers = {}};
    const auto ask = [&]<class T>(const char* key, cl_kernel_work_group_info what, T value) {
      if (opencl()->clGetKernelWorkGroupInfo(kernel.handle.get(), device_, what, sizeof value, &value, nullptr) ==
          CL_SUCCESS)
        resources.numbers[key] = static_cast<std::int64_t>(value);
    };
    ask("local_bytes", CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{});
    ask("private_bytes", CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{});
    ask("work_group_size", CL_KERNEL_WORK_GROUP_SIZE, std::size_t{});
    ask("preferred_multiple", CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, std::size_t{});
    resources.numbers["arguments"] = kernel.arguments;
    all.push_back(std::move(resources));
  }
  return all;
}

Result<cl_sampler> OpenClProgram::sampler(cl_context context, const std::string& text) {
  if (const auto found = samplers_.find(text); found != samplers_.end()) return found->second.get();
  const auto choice = sampler_choice(text);
  if (!choice) return fail(choice.error());
  cl_int status = CL_SUCCESS;
  Sampler made(opencl()->clCreateSampler(context, choice->normalized ? CL_TRUE : CL_FALSE, choice->addressing,
                                         choice->filter, &status));
  if (status != CL_SUCCESS) return fail("E-LAUNCH", "making sampler \"" + text + "\": " + status_name(status));
  return samplers_.emplace(text, std::move(made)).first->second.get();
}

Status OpenClProgram::set_argument(cl_context context, const OpenClData& data, Kernel& kernel, cl_uint at,
                                   const ArgumentValue& value) {
  using Kind = ArgumentSpec::Kind;
  std::string key = fmt::format("{} {} {} ", static_cast<int>(value.kind), value.local_bytes, value.text);
  key.append(value.bytes.begin(), value.bytes.end());
  if (kernel.set[at] == key) return {};
  cl_int status = CL_SUCCESS;
  const auto set = [&](std::size_t size, const void* bytes) {
    status = opencl()->clSetKernelArg(kernel.handle.get(), at, size, bytes);
  };
  switch (value.kind) {
    case Kind::Buffer:
    case Kind::Image: {
      cl_mem memory = data.find(value.text);
      if (memory == nullptr) return fail("E-LAUNCH", "there is no buffer or image " + value.text);
      set(sizeof(cl_mem), static_cast<const void*>(&memory));
      break;
    }
    case Kind::Sampler: {
      auto made = sampler(context, value.text);
      if (!made) return fail(std::move(made).error());
      set(sizeof(cl_sampler), static_cast<const void*>(&*made));
      break;
    }
    case Kind::Local: set(value.local_bytes, nullptr); break;
    case Kind::Scalar:
    case Kind::Struct: set(value.bytes.size(), value.bytes.data()); break;
  }
  if (status != CL_SUCCESS) return fail("E-LAUNCH", fmt::format("argument {}: {}", at, status_name(status)));
  kernel.set[at] = std::move(key);
  return {};
}

/// OpenCL takes one to three dimensions; sizes that do not agree with each other are refused here, by name.
static Status check_shape(const ConcreteLaunch& launch) {
  const std::size_t dimensions = launch.global.size();
  if (dimensions < 1 || dimensions > 3) return fail("E-LAUNCH", fmt::format("{} dimensions", dimensions));
  if (!launch.local.empty() && launch.local.size() != dimensions)
    return fail("E-LAUNCH", fmt::format("local has {} sizes, global {}", launch.local.size(), dimensions));
  if (!launch.offset.empty() && launch.offset.size() != dimensions)
    return fail("E-LAUNCH", fmt::format("offset has {} values, global {}", launch.offset.size(), dimensions));
  for (std::size_t d = 0; d < launch.local.size(); ++d)
    if (launch.local[d] == 0 || launch.global[d] % launch.local[d] != 0)
      return fail("E-LAUNCH",
                  fmt::format("global size {} is no multiple of local size {}", launch.global[d], launch.local[d]));
  return {};
}

Result<Event> OpenClProgram::enqueue(cl_context context, cl_command_queue queue, const OpenClData& data,
                                     const ConcreteLaunch& launch) {
  const auto named = [&](Error error) { return fail(std::move(error).context("launching " + launch.kernel)); };
  const auto found = kernels_.find(launch.kernel);
  if (found == kernels_.end()) return fail("E-LAUNCH", "the program has no kernel " + launch.kernel);
  Kernel& kernel = found->second;
  if (kernel.arguments != launch.arguments.size())
    return named(Error("E-LAUNCH",
                       fmt::format("it takes {} arguments, {} are given", kernel.arguments, launch.arguments.size())));
  if (auto shape = check_shape(launch); !shape) return named(std::move(shape).error());
  for (cl_uint at = 0; at < kernel.arguments; ++at)
    if (auto set = set_argument(context, data, kernel, at, launch.arguments[at]); !set)
      return named(std::move(set).error());
  cl_event event = nullptr;
  const auto pointer = [](const std::vector<std::size_t>& sizes) { return sizes.empty() ? nullptr : sizes.data(); };
  const cl_int status = opencl()->clEnqueueNDRangeKernel(
      queue, kernel.handle.get(), static_cast<cl_uint>(launch.global.size()), pointer(launch.offset),
      launch.global.data(), pointer(launch.local), 0, nullptr, &event);
  if (status != CL_SUCCESS) return named(Error("E-LAUNCH", status_name(status)));
  return Event(event);
}

void OpenClProgram::forget_arguments() {
  for (auto& [name, kernel] : kernels_) std::fill(kernel.set.begin(), kernel.set.end(), std::string());
}

}  // namespace hone::device
