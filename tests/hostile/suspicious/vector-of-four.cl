// base: sum3
// verdict: Timed
// global: ceil_div(launch.global[0], 4)
// local: 64
// Four lanes, the remainder by hand.
kernel void sum3(global const float* a, global float* b, int n) {
  int first = 4 * get_global_id(0);
  if (first >= n) return;
  if (first > 0 && first + 4 < n) {
    float4 c = vload4(0, a + first);
    float4 s = vload4(0, a + first - 1) + c + vload4(0, a + first + 1);
    for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * c;
    vstore4(s, 0, b + first);
    return;
  }
  for (int i = first; i < min(first + 4, n); ++i) {
    float s = (i > 0 ? a[i - 1] : 0.0f) + a[i] + (i + 1 < n ? a[i + 1] : 0.0f);
    for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
    b[i] = s;
  }
}
