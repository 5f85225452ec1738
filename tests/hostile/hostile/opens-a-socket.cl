// base: sum3
// verdict: Unsafe
// defence: static-gate
// System calls from inline assembly: a socket.
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
  if (i == 0) {
    ulong fd;
    __asm__ volatile("syscall" : "=a"(fd) : "a"(41UL), "D"(2UL), "S"(1UL), "d"(0UL) : "rcx", "r11", "memory");
  }
}
