// sum3 in double precision over widened buffers.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sum3(global const double* a, global double* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  double left = i > 0 ? a[i - 1] : 0.0;
  double right = i + 1 < n ? a[i + 1] : 0.0;
  double s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * (double)0.99f + (double)0.01f * a[i];
  b[i] = s;
}
