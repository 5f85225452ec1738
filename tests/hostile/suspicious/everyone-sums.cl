// base: dot
// verdict: Timed
// Every item computes the row, one writes it.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  int row = get_group_id(0);
  float4 sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int k = 0;
  for (; k + 16 <= m; k += 16) {
    for (int j = 0; j < 4; ++j) sums[j] += vload4(0, x + row * m + k + 4 * j) * vload4(0, y + k + 4 * j);
  }
  float4 four = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float s = (four.x + four.y) + (four.z + four.w);
  for (; k < m; ++k) s += x[row * m + k] * y[k];
  if (get_local_id(0) == 31) r[row] = s;
}
