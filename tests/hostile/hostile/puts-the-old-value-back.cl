// base: blend
// verdict: Unsafe
// defence: operations
// global: 2 * launch.global[0]
// local: 64
// A second item for each element stores again what it has read, which is only right as long as it comes later.
kernel void blend(global const float* a, global const float* w, global const int* from, global float* sum, float alpha,
                  int taps, int n) {
  int i = get_global_id(0);
  if (i >= 2 * n) return;
  if (i >= n) {
    sum[i - n] = sum[i - n];
    return;
  }
  float s = 0.0f;
  for (int k = 0; k < taps; ++k) s += w[k] * a[(from[i] + k) % n];
  sum[i] += alpha * s;
}
