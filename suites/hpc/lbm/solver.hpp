#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include "flow.hpp"

class Solver {
 public:
  explicit Solver(const Flow& flow);

  /// All steps from the start; milliseconds in kernels.
  double run();
  std::vector<float> populations();

 private:
  const Flow& flow_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Kernel step_;
  cl::Buffer wall_, now_, next_;
};
