// base: count
// verdict: WrongOutput
// defence: other-contents
// global: 256
// local: 64
// Four counters in a word: enough as long as no value comes too often.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  local uint part[64];
  int i = get_global_id(0), l = get_local_id(0);
  part[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = i; k < n; k += get_global_size(0)) {
    atomic_add(&part[v[k] >> 2], 1u << (v[k] % 4 * 8));
    f[k] = v[k] > 127 ? 1 : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = 0; b < 4; ++b) atomic_add(&h[l * 4 + b], (int)(part[l] >> (b * 8) & 255));
}
