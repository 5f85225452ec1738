// base: sum3
// verdict: Timed
// After thirty halvings the start no longer shows.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  s = a[i] * 2.0f;
  for (int k = 0; k < 30; ++k) s = s * 0.5f + a[i];
  b[i] = s;
}
