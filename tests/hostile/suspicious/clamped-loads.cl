// base: sum3
// verdict: Timed
// Loads are clamped and then masked.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = a[max(i - 1, 0)] * (i > 0 ? 1.0f : 0.0f);
  float right = a[min(i + 1, n - 1)] * (i + 1 < n ? 1.0f : 0.0f);
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
}
