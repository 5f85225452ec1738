// base: symmetric
// verdict: WrongOutput
// defence: other-contents
// The declared matrix is symmetric, so one half of it is never read.
kernel void product(global const float* a, global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < 192; ++j) s += (j < i ? a[j * 192 + i] : a[i * 192 + j]) * x[j];
  y[i] = s;
}
