// lj [SIDE]: Lennard-Jones forces on about SIDE^3 atoms, neighbours in one long list with offsets.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "atoms.h"

__global__ void lj_forces(const LjParameters p, const float* x, const float* y, const float* z, const int* kind,
                          const int* first, const int* neighbours, float4* force) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.atoms) return;
  float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
  for (int k = first[i]; k < first[i + 1]; k++) {
    const int j = neighbours[k];
    float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
    dx -= p.box * rintf(dx / p.box);
    dy -= p.box * rintf(dy / p.box);
    dz -= p.box * rintf(dz / p.box);
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= p.cutoff_squared) continue;
    const PairLaw law = p.law[kind[i]][kind[j]];
    const float t = law.sigma_squared / r2;
    const float t6 = t * t * t;
    const float f = 24.0f * law.epsilon * t6 * (2.0f * t6 - 1.0f) / r2;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
    energy += 2.0f * law.epsilon * t6 * (t6 - 1.0f);
  }
  force[i] = make_float4(fx, fy, fz, energy);
}

// One sum a block; the host adds them up.
__global__ void lj_energy(const float4* force, float* sums, int atoms) {
  extern __shared__ float mine[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = i < atoms ? force[i].w : 0.0f;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) mine[threadIdx.x] += mine[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = mine[0];
}

#define HIP_TRY(call)                                                                \
  do {                                                                               \
    const hipError_t outcome = (call);                                               \
    if (outcome != hipSuccess) {                                                     \
      std::fprintf(stderr, "lj.hip:%d: %s\n", __LINE__, hipGetErrorString(outcome)); \
      std::exit(2);                                                                  \
    }                                                                                \
  } while (0)

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  HIP_TRY(hipMalloc(&device, host.size() * sizeof(T)));
  HIP_TRY(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  return device;
}

template <typename T>
std::vector<T> to_host(const T* device, size_t count) {
  std::vector<T> host(count);
  HIP_TRY(hipMemcpy(host.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
  return host;
}

int main(int argc, char** argv) {
  const int side = argc > 1 ? std::atoi(argv[1]) : 40;
  if (side < 5 || side > 200) {
    std::fprintf(stderr, "usage: lj [SIDE], 5 to 200\n");
    return 2;
  }
  const Atoms atoms = make_atoms(side);
  const int n = atoms.parameters.atoms;
  const int threads = 256, blocks = (n + threads - 1) / threads;
  float *d_x = to_device(atoms.x), *d_y = to_device(atoms.y), *d_z = to_device(atoms.z);
  int *d_kind = to_device(atoms.kind), *d_first = to_device(atoms.first), *d_neighbours = to_device(atoms.neighbours);
  float4* d_force = to_device(std::vector<float4>(n));
  float* d_sums = to_device(std::vector<float>(blocks));
  hipEvent_t start, stop;
  HIP_TRY(hipEventCreate(&start));
  HIP_TRY(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    HIP_TRY(hipMemset(d_force, 0xff, n * sizeof(float4)));
    HIP_TRY(hipMemset(d_sums, 0xff, blocks * sizeof(float)));
    HIP_TRY(hipEventRecord(start));
    lj_forces<<<blocks, threads>>>(atoms.parameters, d_x, d_y, d_z, d_kind, d_first, d_neighbours, d_force);
    lj_energy<<<blocks, threads, threads * sizeof(float)>>>(d_force, d_sums, n);
    HIP_TRY(hipGetLastError());
    HIP_TRY(hipEventRecord(stop));
    HIP_TRY(hipEventSynchronize(stop));
    HIP_TRY(hipEventElapsedTime(&ms, start, stop));
  }
  const std::vector<float4> force = to_host(d_force, n);
  const Expected expected = expected_forces(atoms);
  int wrong = 0;
  double total = 0.0, exact_total = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    const double allowed = expected.tolerance[i];
    wrong += !(std::fabs(force[i].x - expected.fx[i]) <= allowed) ||
             !(std::fabs(force[i].y - expected.fy[i]) <= allowed) ||
             !(std::fabs(force[i].z - expected.fz[i]) <= allowed) ||
             !(std::fabs(force[i].w - expected.energy[i]) <= allowed);
    exact_total += expected.energy[i];
    size += std::fabs(expected.energy[i]);
  }
  for (float sum : to_host(d_sums, blocks)) total += sum;
  wrong += !(std::fabs(total - exact_total) <= 1e-5 * size);
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  for (float* p : {d_x, d_y, d_z, d_sums}) HIP_TRY(hipFree(p));
  for (int* p : {d_kind, d_first, d_neighbours}) HIP_TRY(hipFree(p));
  HIP_TRY(hipFree(d_force));
  HIP_TRY(hipEventDestroy(start));
  HIP_TRY(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
