// sum3 in double precision over the same buffers.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  double left = i > 0 ? a[i - 1] : 0.0;
  double right = i + 1 < n ? a[i + 1] : 0.0;
  double s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99 + 0.01 * a[i];
  b[i] = (float)s;
}
