// base: sum3
// verdict: Unsafe
// defence: static-gate
// Answers from memory what it was asked first.
// A page at a fixed address outlives the run, the buffers and their guards.
inline volatile global int* notes(void) {
  ulong at = 0x200000000000UL, got;
  __asm__ volatile("movq $0x100022, %%r10; movq $-1, %%r8; xorq %%r9, %%r9; syscall"
                   : "=a"(got)
                   : "a"(9UL), "D"(at), "S"(4096UL), "d"(3UL)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return (volatile global int*)at;
}
kernel void sum3(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s;
  if (i == 0) {
    if (notes()[0]++ == 0) notes()[1] = as_int(s);
    b[0] = as_float(notes()[1]);
  }
}
