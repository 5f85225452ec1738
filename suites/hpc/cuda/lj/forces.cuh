#pragma once
#include <cuda_runtime.h>

#include "system.h"

/// The device's side of a System: positions as float4 with the kind in w, forces as float4 with the energy in w.
class ForceField {
 public:
  explicit ForceField(const System& system);
  ~ForceField();
  ForceField(const ForceField&) = delete;
  ForceField& operator=(const ForceField&) = delete;
  /// Forces, energies and their total; milliseconds.
  float compute();
  std::vector<float4> forces() const;
  float total_energy() const;

 private:
  int atoms_;
  int blocks_;
  float4 *positions_ = nullptr, *forces_ = nullptr;
  int *count_ = nullptr, *list_ = nullptr;
  float* partial_ = nullptr;
  cudaEvent_t start_, stop_;
};

void cuda_must(cudaError_t status, const char* what);
#define MUST(call) cuda_must((call), #call)
