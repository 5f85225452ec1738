// base: window
// verdict: WrongOutput
// defence: other-contents
// What is far below zero is taken for the limit a little early: small beside large results of the other sign.
kernel void window(global const float* x, global float* y, int n, int radius, int offset) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0.0f;
  for (int k = -radius; k <= radius; ++k) s += x[offset + clamp(i + k, 0, n - 1)];
  y[offset + i] = s > 0.0f ? s : s < -6.0f ? -1.0f : exp(s) - 1.0f;
}
