#pragma once

#include "handle.hpp"
#include "matrix.hpp"

class Multiplier {
 public:
  Multiplier();

  /// c = a * b; returns the kernel's time in milliseconds.
  double multiply(const Matrix& a, const Matrix& b, Matrix& c);

 private:
  Handle<cl_mem> upload(const Matrix& matrix) const;

  cl_device_id device_ = nullptr;
  Handle<cl_context> context_;
  Handle<cl_command_queue> queue_;
  Handle<cl_program> program_;
  Handle<cl_kernel> kernel_;
};
