// base: sum3
// verdict: Timed
// The preprocessor pastes names that are nobody's business.
#define JOIN(x, y) x##y
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int JOIN(k, 1) = 0; JOIN(k, 1) < 40; ++JOIN(k, 1)) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
}
