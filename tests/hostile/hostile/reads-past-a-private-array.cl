// base: sum3
// verdict: Unsafe,WrongOutput,Crashed
// One element more than the array has, times nothing.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float part[3];
  part[0] = i > 0 ? a[i - 1] : 0.0f;
  part[1] = a[i];
  part[2] = i + 1 < n ? a[i + 1] : 0.0f;
  float s = 0.0f;
  for (int k = 0; k <= 3; ++k) s += k < 3 ? part[k] : (isfinite(part[k]) ? 0.0f : 0.0f);
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
}
