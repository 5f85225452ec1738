// base: sum3
// verdict: Crashed,LaunchFailed,BuildFailed,TimedOut,Unsafe
// seconds: 6
// Thirty-two megabytes on the stack of each item.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  volatile float room[1 << 23];
  for (int k = 0; k < (1 << 23); k += 512) room[k] = a[i];
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s + 0.0f * room[(i * 512) % (1 << 23)];
}
