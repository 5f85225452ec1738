// dot_rows in double precision over the same buffers.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  int row = get_group_id(0), l = get_local_id(0);
  if (l != 0) return;
  double s = 0.0;
  for (int k = 0; k < m; ++k) s += (double)x[row * m + k] * y[k];
  r[row] = (float)s;
}
