// base: cuda-rows
// verdict: Unsafe,WrongOutput
// The levels of the tree do not wait for each other.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  for (int h = 32; h > 0; h /= 2) {
    if (t < h) part[t] += part[t + h];
  }
  if (t == 0) r[row] = part[0];
}
