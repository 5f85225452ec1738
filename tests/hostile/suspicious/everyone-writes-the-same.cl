// base: dot
// verdict: Timed
// Thirty-two equal writes to one place.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  local float part[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s = 0.0f;
  for (int k = l; k < m; k += 32) s += x[row * m + k] * y[k];
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += part[k];
  r[row] = sum;
}
