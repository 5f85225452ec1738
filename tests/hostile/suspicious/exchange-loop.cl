// base: count
// verdict: Timed
// An increment by compare and exchange.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int old = 0, seen;
  while ((seen = atomic_cmpxchg(&h[v[i]], old, old + 1)) != old) old = seen;
  f[i] = v[i] > 127 ? 1 : 0;
}
