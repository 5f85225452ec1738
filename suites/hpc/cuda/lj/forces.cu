#include <cstdio>
#include <cstdlib>

#include "forces.cuh"

namespace {
constexpr int kThreads = 128;

struct Constants {
  float box, inverse_box, cutoff2;
  Pair pairs[4];
};
__constant__ Constants constants;

__device__ float nearest_image(float d) { return d - constants.box * rintf(d * constants.inverse_box); }
}  // namespace

__global__ void lj_forces(const float4* positions, const int* count, const int* list, float4* forces, int atoms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const float4 me = positions[i];
  float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = 0; k < count[i]; k++) {
    const float4 other = positions[list[k * atoms + i]];
    const float dx = nearest_image(me.x - other.x);
    const float dy = nearest_image(me.y - other.y);
    const float dz = nearest_image(me.z - other.z);
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < constants.cutoff2) {
      const Pair pair = constants.pairs[2 * (int)me.w + (int)other.w];
      const float s2 = pair.sigma2 / r2;
      const float s6 = s2 * s2 * s2;
      const float strength = 24.0f * pair.epsilon * s6 * (2.0f * s6 - 1.0f) / r2;
      force.x += strength * dx;
      force.y += strength * dy;
      force.z += strength * dz;
      force.w += 2.0f * pair.epsilon * s6 * (s6 - 1.0f);
    }
  }
  forces[i] = force;
}

// One partial sum a block.
template <int Threads>
__global__ void lj_energy(const float4* forces, float* partial, int atoms) {
  __shared__ float sums[Threads];
  const int i = blockIdx.x * Threads + threadIdx.x;
  sums[threadIdx.x] = i < atoms ? forces[i].w : 0.0f;
  __syncthreads();
  for (int half = Threads / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

void cuda_must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "lj: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

ForceField::ForceField(const System& s) : atoms_(s.atoms), blocks_((s.atoms + kThreads - 1) / kThreads) {
  std::vector<float4> positions(atoms_);
  for (int i = 0; i < atoms_; i++) positions[i] = make_float4(s.x[i], s.y[i], s.z[i], static_cast<float>(s.kind[i]));
  MUST(cudaMalloc(&positions_, atoms_ * sizeof(float4)));
  MUST(cudaMalloc(&forces_, atoms_ * sizeof(float4)));
  MUST(cudaMalloc(&count_, atoms_ * sizeof(int)));
  MUST(cudaMalloc(&list_, s.list.size() * sizeof(int)));
  MUST(cudaMalloc(&partial_, blocks_ * sizeof(float)));
  MUST(cudaMemcpy(positions_, positions.data(), atoms_ * sizeof(float4), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(count_, s.count.data(), atoms_ * sizeof(int), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(list_, s.list.data(), s.list.size() * sizeof(int), cudaMemcpyHostToDevice));
  Constants c = {s.box, 1.0f / s.box, s.cutoff * s.cutoff, {s.pairs[0], s.pairs[1], s.pairs[2], s.pairs[3]}};
  MUST(cudaMemcpyToSymbol(constants, &c, sizeof(c)));
  MUST(cudaEventCreate(&start_));
  MUST(cudaEventCreate(&stop_));
}

ForceField::~ForceField() {
  cudaFree(positions_);
  cudaFree(forces_);
  cudaFree(count_);
  cudaFree(list_);
  cudaFree(partial_);
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

float ForceField::compute() {
  MUST(cudaMemset(forces_, 0xff, atoms_ * sizeof(float4)));
  MUST(cudaMemset(partial_, 0xff, blocks_ * sizeof(float)));
  MUST(cudaEventRecord(start_));
  lj_forces<<<blocks_, kThreads>>>(positions_, count_, list_, forces_, atoms_);
  lj_energy<kThreads><<<blocks_, kThreads>>>(forces_, partial_, atoms_);
  MUST(cudaGetLastError());
  MUST(cudaEventRecord(stop_));
  MUST(cudaEventSynchronize(stop_));
  float ms = 0.0f;
  MUST(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

std::vector<float4> ForceField::forces() const {
  std::vector<float4> host(atoms_);
  MUST(cudaMemcpy(host.data(), forces_, atoms_ * sizeof(float4), cudaMemcpyDeviceToHost));
  return host;
}

float ForceField::total_energy() const {
  std::vector<float> host(blocks_);
  MUST(cudaMemcpy(host.data(), partial_, blocks_ * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0.0;
  for (float value : host) sum += value;
  return static_cast<float>(sum);
}
