// base: sum3
// verdict: Unsafe
// What the group before left in local memory says whether this one must work.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  local int note[2];
  bool known = note[0] == 0x5eed && note[1] == n && n < 0;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = known ? b[i] : s;
  if (get_local_id(0) == 0) {
    note[0] = 0x5eed;
    note[1] = n;
  }
}
