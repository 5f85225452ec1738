// base: symmetric
// verdict: Timed
// Two accumulators for one sum of a matrix that only happens to be symmetric.
kernel void product(global const float* a, global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0.0f, t = 0.0f;
  for (int j = 0; j < 192; j += 2) {
    s += a[i * 192 + j] * x[j];
    t += a[i * 192 + j + 1] * x[j + 1];
  }
  y[i] = s + t;
}
