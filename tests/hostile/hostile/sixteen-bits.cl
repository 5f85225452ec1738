// base: sum3
// verdict: WrongOutput
// defence: precision
// Seventeen bits: within the type's rule, and a hundred times worse than K(0).
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  float h = as_float(as_uint(a[i]) & 0xffffff80u);
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * h;
  b[i] = s;
}
