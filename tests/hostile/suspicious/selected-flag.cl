// base: count
// verdict: Timed
// select instead of a condition.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  f[i] = select(0, 1, v[i] > 127);
}
