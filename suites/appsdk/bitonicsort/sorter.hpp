#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <vector>

class BitonicSorter {
 public:
  BitonicSorter();

  /// Sorts the keys in place on the device; returns the milliseconds spent in kernels.
  double sort(std::vector<cl_uint>& keys, bool ascending);

 private:
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
};
