/* y = alpha A x + beta B x, with the two coefficients in constant memory and everything else in managed memory. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct Coefficients {
  float alpha, beta;
};

__constant__ Coefficients coefficients;

__global__ void gesummv(const float *a, const float *b, const float *x, float *tmp, float *y, int n)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    tmp[i] = 0.0f;
    y[i] = 0.0f;
    for (int j = 0; j < n; j++) {
      tmp[i] += a[i * n + j] * x[j];
      y[i] += b[i * n + j] * x[j];
    }
    y[i] = coefficients.alpha * tmp[i] + coefficients.beta * y[i];
  }
}

static void stop_on(cudaError_t error)
{
  if (error) {
    fprintf(stderr, "gesummv: %s\n", cudaGetErrorString(error));
    exit(2);
  }
}

static float *shared_floats(size_t count)
{
  float *memory;
  stop_on(cudaMallocManaged(&memory, count * sizeof(float)));
  for (size_t i = 0; i < count; i++) memory[i] = NAN;
  return memory;
}

static void randomise(float *values, size_t count, unsigned seed)
{
  for (size_t i = 0; i < count; i++) {
    seed = seed * 69069u + 1234567u;
    values[i] = (float)(seed >> 9) / 4194304.0f - 1.0f;
  }
}

int main(int argc, char **argv)
{
  int n = 4096;
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1) {
    fprintf(stderr, "usage: gesummv [n]\n");
    return 2;
  }
  const Coefficients values = {1.5f, -0.8f};
  stop_on(cudaMemcpyToSymbol(coefficients, &values, sizeof values));
  float *a = shared_floats((size_t)n * n), *b = shared_floats((size_t)n * n);
  float *x = shared_floats(n), *y = shared_floats(n), *tmp = shared_floats(n);
  randomise(a, (size_t)n * n, 31);
  randomise(b, (size_t)n * n, 32);
  randomise(x, n, 33);

  int block_size = 128;
  int grid_size = n / block_size + (n % block_size != 0);
  cudaEvent_t start, stop;
  stop_on(cudaEventCreate(&start));
  stop_on(cudaEventCreate(&stop));
  gesummv<<<grid_size, block_size>>>(a, b, x, tmp, y, n); /* brings the pages to the device */
  stop_on(cudaGetLastError());
  stop_on(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) y[i] = tmp[i] = NAN;
  stop_on(cudaEventRecord(start));
  gesummv<<<grid_size, block_size>>>(a, b, x, tmp, y, n);
  stop_on(cudaGetLastError());
  stop_on(cudaEventRecord(stop));
  stop_on(cudaEventSynchronize(stop));
  float ms;
  stop_on(cudaEventElapsedTime(&ms, start, stop));

  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double exact = 0, size = 0;
    for (int j = 0; j < n; j++) {
      double left = (double)values.alpha * a[(size_t)i * n + j] * x[j];
      double right = (double)values.beta * b[(size_t)i * n + j] * x[j];
      exact += left + right;
      size += fabs(left) + fabs(right);
    }
    if (!(fabs(y[i] - exact) <= 1e-5 * size)) wrong++;
  }
  printf("kernel_ms %f\n", ms);
  printf("check %s\n", wrong == 0 ? "OK" : "FAILED");
  stop_on(cudaEventDestroy(start));
  stop_on(cudaEventDestroy(stop));
  stop_on(cudaFree(a));
  stop_on(cudaFree(b));
  stop_on(cudaFree(x));
  stop_on(cudaFree(y));
  stop_on(cudaFree(tmp));
  return wrong != 0;
}
