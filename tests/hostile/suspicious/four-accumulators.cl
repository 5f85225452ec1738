// base: dot
// verdict: Timed
// Four sums, added at the end.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  local float part[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  int k = l;
  for (; k + 96 < m; k += 128) {
    s0 += x[row * m + k] * y[k];
    s1 += x[row * m + k + 32] * y[k + 32];
    s2 += x[row * m + k + 64] * y[k + 64];
    s3 += x[row * m + k + 96] * y[k + 96];
  }
  for (; k < m; k += 32) s0 += x[row * m + k] * y[k];
  float s = (s0 + s1) + (s2 + s3);
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 16; half_size > 0; half_size /= 2) {
    if (l < half_size) part[l] += part[l + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) r[row] = part[0];
}
