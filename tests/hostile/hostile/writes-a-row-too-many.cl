// base: sum3
// verdict: Unsafe
// defence: guard-zones,awkward-size,races
// The last group rounds up and forgets the edge.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  float left = i > 0 ? a[min(i, n) - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[min(i, n - 1)] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.5f + a[min(i, n - 1)];
  b[i] = s;
}
