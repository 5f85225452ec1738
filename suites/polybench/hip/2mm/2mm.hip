/* D = alpha A B C + beta D. A is ni x nk, B nk x nj, C nj x nl, D ni x nl. */
#include <hip/hip_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TX 64
#define TY 4

__global__ void mm2_product(const float *a, const float *b, float *tmp, float alpha, int ni, int nj, int nk)
{
  int j = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  int i = hipBlockIdx_y * hipBlockDim_y + hipThreadIdx_y;
  if (i < ni && j < nj) {
    tmp[i * nj + j] = 0.0f;
    for (int k = 0; k < nk; k++)
      tmp[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

__global__ void mm2_accumulate(const float *tmp, const float *c, float *d, float beta, int ni, int nl, int nj)
{
  int l = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  int i = hipBlockIdx_y * hipBlockDim_y + hipThreadIdx_y;
  if (i < ni && l < nl) {
    d[i * nl + l] *= beta;
    for (int j = 0; j < nj; j++)
      d[i * nl + l] += tmp[i * nj + j] * c[j * nl + l];
  }
}

static void try_hip(hipError_t status, int line)
{
  if (status != hipSuccess) {
    fprintf(stderr, "2mm.hip:%d: %s\n", line, hipGetErrorString(status));
    exit(2);
  }
}
#define TRY(call) try_hip((call), __LINE__)

static float *host_matrix(int rows, int columns, unsigned seed)
{
  size_t n = (size_t)rows * columns;
  float *m = (float *)malloc(n * sizeof(float));
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    m[i] = (float)(seed >> 8) / 16777216.0f - 0.25f;
  }
  return m;
}

static float *device_copy(const float *host, int rows, int columns)
{
  float *m;
  size_t bytes = sizeof(float) * rows * columns;
  TRY(hipMalloc((void **)&m, bytes));
  if (host)
    TRY(hipMemcpy(m, host, bytes, hipMemcpyHostToDevice));
  else
    TRY(hipMemset(m, 0xff, bytes));
  return m;
}

/* out += factor left right; out_size likewise with all terms positive */
static void reference(double factor, const double *left, const double *left_size, const float *right, double *out, double *out_size,
                      int rows, int inner, int columns)
{
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      for (int j = 0; j < columns; j++) {
        out[(size_t)i * columns + j] += factor * left[(size_t)i * inner + k] * right[(size_t)k * columns + j];
        out_size[(size_t)i * columns + j] += fabs(factor) * left_size[(size_t)i * inner + k] * fabs(right[(size_t)k * columns + j]);
      }
}

static double *zeros(size_t n) { return (double *)calloc(n, sizeof(double)); }

int main(int argc, char **argv)
{
  int ni = argc > 1 ? atoi(argv[1]) : 768, nj = argc > 2 ? atoi(argv[2]) : ni;
  int nk = argc > 3 ? atoi(argv[3]) : ni, nl = argc > 4 ? atoi(argv[4]) : ni;
  if (ni < 1 || nj < 1 || nk < 1 || nl < 1) {
    fprintf(stderr, "usage: 2mm [ni [nj nk nl]]\n");
    return 2;
  }
  float alpha = 1.5f, beta = -1.2f;
  float *a = host_matrix(ni, nk, 1), *b = host_matrix(nk, nj, 2), *c = host_matrix(nj, nl, 3), *d = host_matrix(ni, nl, 4);
  float *result = (float *)malloc(sizeof(float) * ni * nl);
  float *d_a = device_copy(a, ni, nk), *d_b = device_copy(b, nk, nj), *d_c = device_copy(c, nj, nl), *d_d = device_copy(d, ni, nl);
  float *d_tmp = device_copy(NULL, ni, nj);

  hipEvent_t start, stop;
  float ms = 0;
  TRY(hipEventCreate(&start));
  TRY(hipEventCreate(&stop));
  for (int pass = 0; pass < 2; pass++) {
    TRY(hipMemcpy(d_d, d, sizeof(float) * ni * nl, hipMemcpyHostToDevice));
    TRY(hipEventRecord(start, 0));
    hipLaunchKernelGGL(mm2_product, dim3((nj + TX - 1) / TX, (ni + TY - 1) / TY), dim3(TX, TY), 0, 0, d_a, d_b, d_tmp, alpha, ni, nj, nk);
    hipLaunchKernelGGL(mm2_accumulate, dim3((nl + TX - 1) / TX, (ni + TY - 1) / TY), dim3(TX, TY), 0, 0, d_tmp, d_c, d_d, beta, ni, nl, nj);
    TRY(hipGetLastError());
    TRY(hipEventRecord(stop, 0));
    TRY(hipEventSynchronize(stop));
    TRY(hipEventElapsedTime(&ms, start, stop));
  }
  TRY(hipMemcpy(result, d_d, sizeof(float) * ni * nl, hipMemcpyDeviceToHost));

  size_t a_count = (size_t)ni * nk, d_count = (size_t)ni * nl;
  double *wide = zeros(a_count), *wide_size = zeros(a_count), *ab = zeros((size_t)ni * nj), *ab_size = zeros((size_t)ni * nj);
  double *abc = zeros(d_count), *abc_size = zeros(d_count);
  for (size_t i = 0; i < a_count; i++) wide_size[i] = fabs(wide[i] = a[i]);
  reference(alpha, wide, wide_size, b, ab, ab_size, ni, nk, nj);
  reference(1.0, ab, ab_size, c, abc, abc_size, ni, nj, nl);
  int wrong = 0;
  for (size_t i = 0; i < d_count; i++) {
    double old = (double)beta * d[i];
    if (!(fabs(result[i] - (abc[i] + old)) <= 1e-5 * (abc_size[i] + fabs(old)))) wrong++;
  }
  printf("kernel_ms %.4f\n", ms);
  printf("check %s\n", wrong ? "FAILED" : "OK");
  void *device[] = {d_a, d_b, d_c, d_d, d_tmp}, *host[] = {a, b, c, d, result, wide, wide_size, ab, ab_size, abc, abc_size};
  for (void *p : device) TRY(hipFree(p));
  for (void *p : host) free(p);
  TRY(hipEventDestroy(start));
  TRY(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
