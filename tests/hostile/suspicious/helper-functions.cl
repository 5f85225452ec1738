// base: sum3
// verdict: Timed
// Helpers, declared before they are defined.
float one_step(float s, float c);
static inline float at(global const float* a, int i, int n) { return i >= 0 && i < n ? a[i] : 0.0f; }
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = at(a, i - 1, n);
  float right = at(a, i + 1, n);
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = one_step(s, a[i]);
  b[i] = s;
}
float one_step(float s, float c) { return s * 0.99f + 0.01f * c; }
