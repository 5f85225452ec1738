// base: window
// verdict: Timed
// Where the exponential is nothing, it is not computed.
kernel void window(global const float* x, global float* y, int n, int radius, int offset) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0.0f;
  for (int k = -radius; k <= radius; ++k) s += x[offset + clamp(i + k, 0, n - 1)];
  if (s < -40.0f) {
    y[offset + i] = -1.0f;
    return;
  }
  y[offset + i] = s > 0.0f ? s : exp(s) - 1.0f;
}
