#pragma once
// OpenCL objects that release themselves.

#include <utility>

#include "device/opencl/api.hpp"

namespace hone::device {

template <class T, auto Release>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) : raw_(raw) {}
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (raw_ != nullptr) (opencl()->*Release)(raw_);
  }
  T get() const { return raw_; }
  explicit operator bool() const { return raw_ != nullptr; }

 private:
  T raw_ = nullptr;
};

using Context = Handle<cl_context, &OpenCl::clReleaseContext>;
using Queue = Handle<cl_command_queue, &OpenCl::clReleaseCommandQueue>;
using Program = Handle<cl_program, &OpenCl::clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, &OpenCl::clReleaseKernel>;
using Memory = Handle<cl_mem, &OpenCl::clReleaseMemObject>;
using Sampler = Handle<cl_sampler, &OpenCl::clReleaseSampler>;
using Event = Handle<cl_event, &OpenCl::clReleaseEvent>;

}  // namespace hone::device
