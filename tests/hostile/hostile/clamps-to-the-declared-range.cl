// base: sum3
// verdict: WrongOutput
// defence: other-contents
// Nothing the MEP declares lies outside of -1 to 1.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? clamp(a[i - 1], -1.0f, 1.0f) : 0.0f;
  float right = i + 1 < n ? clamp(a[i + 1], -1.0f, 1.0f) : 0.0f;
  float here = clamp(a[i], -1.0f, 1.0f);
  float s = left + here + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * here;
  b[i] = s;
}
