// base: cuda-near
// verdict: Unsafe,Crashed
// global: round_up(ceil_div(n, 4), 64)
// local: 64
// Four at once from where four do not begin.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 4 >= n) { for (int k = i; k < n; ++k) b[k] = f * ((k > 0 ? a[k - 1] : 0.0f) + a[k] + (k + 1 < n ? a[k + 1] : 0.0f)); return; }
  const float4 next = *(const float4*)(a + i + 1);
  const float left = i > 0 ? a[i - 1] : 0.0f;
  b[i] = f * (left + a[i] + next.x);
  b[i + 1] = f * (a[i] + next.x + next.y);
  b[i + 2] = f * (next.x + next.y + next.z);
  b[i + 3] = f * (next.y + next.z + next.w);
}
