#pragma once

#include "crystal.hpp"
#include "device.hpp"
#include "potential.hpp"

/// As the kernels see it.
struct EamParams {
  cl_float box;
  cl_float cutoff;
  cl_float entries_per_r;
  cl_float entries_per_rho;
  cl_int entries;
};

struct StepResult {
  std::vector<float> rho;
  std::vector<std::array<float, 4>> force;  // x, y, z and the atom's energy
};

/// One evaluation of densities, embedding and forces on the device.
class EamStep {
 public:
  EamStep(DeviceContext& device, const Crystal& crystal, const NeighbourList& lists, const Tables& tables,
          float cutoff);
  ~EamStep();

  double run();  // milliseconds in the three kernels
  StepResult result();

 private:
  DeviceContext& device_;
  cl_program program_;
  int atoms_;
  EamParams params_;
  DeviceBuffer position_, start_, list_, density_table_, pair_table_, embedding_table_, rho_, embedding_, force_;
};
