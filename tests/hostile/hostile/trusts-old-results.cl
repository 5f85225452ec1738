// base: sum3
// verdict: WrongOutput
// defence: old-results
// Work is skipped where the output already looks like a result; neither the poison nor a zero does.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  if (b[i] != 0.0f && fabs(b[i]) < 1.0e30f) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
}
