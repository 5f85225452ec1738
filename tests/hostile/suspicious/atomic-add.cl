// base: count
// verdict: Timed
// Another name for the same.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_add(&h[v[i]], 1);
  f[i] = v[i] > 127 ? 1 : 0;
}
