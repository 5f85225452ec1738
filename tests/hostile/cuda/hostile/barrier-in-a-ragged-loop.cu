// base: cuda-rows
// verdict: Unsafe,WrongOutput,Crashed
// As many barriers as a thread has columns.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  part[t] = 0.0f;
  for (int c = t; c < cols; c += 64) {
    part[t] += a[row * cols + c];
    if (t == 0 || c >= 64) __syncthreads();
  }
  if (t == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += part[k];
    r[row] = sum;
  }
}
