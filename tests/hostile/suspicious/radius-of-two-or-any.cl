// base: window
// verdict: Timed
// A quick way for the usual radius, the long one for the others.
kernel void window(global const float* x, global float* y, int n, int radius, int offset) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0.0f;
  if (radius == 2 && i >= 2 && i + 2 < n) {
    global const float* p = x + offset + i;
    s = p[-2] + p[-1] + p[0] + p[1] + p[2];
  } else {
    for (int k = -radius; k <= radius; ++k) s += x[offset + clamp(i + k, 0, n - 1)];
  }
  y[offset + i] = s > 0.0f ? s : exp(s) - 1.0f;
}
