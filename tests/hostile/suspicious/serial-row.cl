// base: dot
// verdict: Timed
// One item sums the row; the others watch. Compensated, else it would be less precise than a tree.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  if (get_local_id(0) != 0) return;
  int row = get_group_id(0);
  float s = 0.0f, lost = 0.0f;
  for (int k = 0; k < m; ++k) {
    float term = x[row * m + k] * y[k] - lost, sum = s + term;
    lost = (sum - s) - term;
    s = sum;
  }
  r[row] = s;
}
