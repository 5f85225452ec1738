// base: dot
// verdict: Timed
// Neighbours first.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  local float part[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s = 0.0f;
  for (int k = l; k < m; k += 32) s += x[row * m + k] * y[k];
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 32; step *= 2) {
    if (l % (2 * step) == 0) part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) r[row] = part[0];
}
