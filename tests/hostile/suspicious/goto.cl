// base: sum3
// verdict: Timed
// A jump in the place of a loop.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  int k = 0;
again:
  s = s * 0.99f + 0.01f * a[i];
  if (++k < 40) goto again;
  b[i] = s;
}
