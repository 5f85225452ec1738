#pragma once
// One built program: its kernels, their resources, and launches of them.

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "device/device.hpp"
#include "device/opencl/data.hpp"
#include "device/opencl/handle.hpp"

namespace hone::device {

class OpenClProgram {
 public:
  static std::variant<OpenClProgram, BuildLog> build(cl_context context, cl_device_id device, const std::string& source,
                                                     const std::vector<std::string>& options);
  std::vector<KernelResources> resources() const;
  /// Sets what changed since the last launch of that kernel and enqueues it.
  Result<Event> enqueue(cl_context context, cl_command_queue queue, const OpenClData& data,
                        const ConcreteLaunch& launch);
  /// Buffers got new addresses: what was set before is void.
  void forget_arguments();

 private:
  struct Kernel {
    KernelHandle handle;
    cl_uint arguments = 0;
    std::vector<std::string> set;  // what each argument was last set to
  };
  Status set_argument(cl_context context, const OpenClData& data, Kernel& kernel, cl_uint at,
                      const ArgumentValue& value);
  Result<cl_sampler> sampler(cl_context context, const std::string& text);

  Program program_;
  cl_device_id device_ = nullptr;
  std::map<std::string, Kernel> kernels_;
  std::map<std::string, Sampler> samplers_;
};

}  // namespace hone::device
