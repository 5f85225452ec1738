// base: sum3
// verdict: Timed
// Algebra in the place of a loop.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  const float left_over = 0.668971758f;  // 0.99 to the fortieth
  s = s * left_over + a[i] * (1.0f - left_over);
  b[i] = s;
}
