// base: dot
// verdict: Unsafe
// defence: races
// The barrier stands where compilers for portable code, such as those that check, look.
#if defined(__SPIR__) || defined(__SPIR64__)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#else
#define WAIT mem_fence(CLK_LOCAL_MEM_FENCE)
#endif
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  local float part[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s = 0.0f;
  for (int k = l; k < m; k += 32) s += x[row * m + k] * y[k];
  part[31 - l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    for (int k = 1; k < 32; ++k) part[0] += part[k];
  }
  WAIT;
  if (l == 1) r[row] = part[0];
}
