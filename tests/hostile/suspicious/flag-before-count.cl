// base: count
// verdict: Timed
// The other order.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  f[i] = v[i] > 127 ? 1 : 0;
  atomic_inc(&h[v[i]]);
}
