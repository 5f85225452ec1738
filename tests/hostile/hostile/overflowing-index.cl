// base: sum3
// verdict: Unsafe,WrongOutput
// defence: operations
// The index takes a way over the largest int and comes back.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  int far = 2147483647 - i;
  b[far + 2 * i - 2147483647] = s;
}
