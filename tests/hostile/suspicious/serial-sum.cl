// base: dot
// verdict: Timed
// One long sum where K(0) has a tree: another order, a little less precise.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  if (get_local_id(0) != 0) return;
  int row = get_group_id(0);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += x[row * m + k] * y[k];
  r[row] = s;
}
