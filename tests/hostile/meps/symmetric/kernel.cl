// A matrix of one size times a vector; the declared matrix is symmetric, the kernel does not ask for that.
kernel void product(global const float* a, global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < 192; ++j) s += a[i * 192 + j] * x[j];
  y[i] = s;
}
