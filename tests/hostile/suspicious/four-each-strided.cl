// base: sum3
// verdict: Timed
// global: ceil_div(launch.global[0], 4)
// local: 64
// Four elements an item, a grid apart.
kernel void sum3(global const float* a, global float* b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float left = i > 0 ? a[i - 1] : 0.0f;
    float right = i + 1 < n ? a[i + 1] : 0.0f;
    float s = left + a[i] + right;
    for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
    b[i] = s;
  }
}
