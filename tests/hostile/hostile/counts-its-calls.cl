// base: sum3
// verdict: Unsafe
// defence: static-gate
// options: -cl-std=CL3.0
// Right for two hundred calls: a variable of the program outlives them.
global int calls = 0;
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  if (i == 0) ++calls;
  b[i] = i == 1 && calls > 200 ? 0.0f : s;
}
