// base: count
// verdict: Unsafe
// defence: guard-zones
// The histogram has one bin more than its buffer.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  if (i == 0) h[256] = 0;
  f[i] = v[i] > 127 ? 1 : 0;
}
