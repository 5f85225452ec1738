// base: blend
// verdict: Timed
// The remainder is taken once and then by comparison.
kernel void blend(global const float* a, global const float* w, global const int* from, global float* sum, float alpha,
                  int taps, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0.0f;
  int at = from[i] % n;
  for (int k = 0; k < taps; ++k) {
    s += w[k] * a[at];
    at = at + 1 == n ? 0 : at + 1;
  }
  sum[i] = fma(alpha, s, sum[i]);
}
