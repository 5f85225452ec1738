// base: count
// verdict: Timed
// Counts per group first, then merges.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  local int bins[256];
  int i = get_global_id(0), l = get_local_id(0);
  for (int k = l; k < 256; k += 64) bins[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) {
    atomic_inc(&bins[v[i]]);
    f[i] = v[i] > 127;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < 256; k += 64) {
    if (bins[k] != 0) atomic_add(&h[k], bins[k]);
  }
}
