// base: sum3
// verdict: Timed
// One condition around everything.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float s = (i > 0 ? a[i - 1] : 0.0f) + a[i] + (i + 1 < n ? a[i + 1] : 0.0f);
    for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
    b[i] = s;
  }
}
