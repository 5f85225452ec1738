/* Eight neighbouring columns are the lanes of a vector; ROWS rows share each load of b. Edges go element by element. */
__kernel void gemm(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
  const int j = get_global_id(0) * 8;
  const int i = get_global_id(1) * ROWS;
  if (j + 8 <= n && i + ROWS <= m) {
    float8 sum[ROWS];
    for (int r = 0; r < ROWS; r++) sum[r] = 0.0f;
    int x = 0;
    for (; x + STEPS <= k; x += STEPS) {
      for (int s = 0; s < STEPS; s++) {
        const float8 row = vload8(0, b + (x + s) * n + j);
        for (int r = 0; r < ROWS; r++) sum[r] += a[(i + r) * k + x + s] * row;
      }
    }
    for (; x < k; x++) {
      const float8 row = vload8(0, b + x * n + j);
      for (int r = 0; r < ROWS; r++) sum[r] += a[(i + r) * k + x] * row;
    }
    for (int r = 0; r < ROWS; r++) vstore8(sum[r], 0, c + (i + r) * n + j);
    return;
  }
  for (int r = i; r < min(i + ROWS, m); r++)
    for (int s = j; s < min(j + 8, n); s++) {
      float sum = 0.0f;
      for (int x = 0; x < k; x++) sum += a[r * k + x] * b[x * n + s];
      c[r * n + s] = sum;
    }
}
