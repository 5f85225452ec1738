// base: blend
// verdict: Timed
// The weights are read once, the loop is rolled by two.
kernel void blend(global const float* a, global const float* w, global const int* from, global float* sum, float alpha,
                  int taps, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float first = w[0], second = taps > 1 ? w[1] : 0.0f;
  float s = taps > 0 ? first * a[from[i] % n] : 0.0f;
  if (taps > 1) s += second * a[(from[i] + 1) % n];
  for (int k = 2; k < taps; ++k) s += w[k] * a[(from[i] + k) % n];
  sum[i] += alpha * s;
}
