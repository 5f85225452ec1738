// base: sum3
// verdict: WrongOutput
// defence: awkward-size
// global: ceil_div(launch.global[0], 2)
// local: 64
// Two elements an item, the odd one forgotten.
kernel void sum3(global const float* a, global float* b, int n) {
  int first = 2 * get_global_id(0);
  for (int i = first; i < first + 2 && first + 1 < n; ++i) {
    float left = i > 0 ? a[i - 1] : 0.0f;
    float right = i + 1 < n ? a[i + 1] : 0.0f;
    float s = left + a[i] + right;
    for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
    b[i] = s;
  }
}
