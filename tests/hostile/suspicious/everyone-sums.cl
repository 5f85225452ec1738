// base: dot
// verdict: Timed
// Every item computes the row, one writes it.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  int row = get_group_id(0);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += x[row * m + k] * y[k];
  if (get_local_id(0) == 31) r[row] = s;
}
