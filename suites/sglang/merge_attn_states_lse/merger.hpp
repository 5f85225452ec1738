#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include "attention.hpp"

class Merger {
 public:
  Merger(const Shape& shape, const State& prefix, const State& suffix);

  /// Milliseconds of the kernel; afterwards `result` has something to read.
  double merge();
  State result();

 private:
  cl::Buffer upload(const std::vector<float>& values);

  Shape shape_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Kernel kernel_;
  cl::Buffer prefix_values_, prefix_lse_, suffix_values_, suffix_lse_, out_values_, out_lse_;
};
