// base: sum3
// verdict: Timed
// More precise than K(0).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  double d = s;
  for (int k = 0; k < 40; ++k) d = d * 0.99 + 0.01 * a[i];
  b[i] = (float)d;
}
