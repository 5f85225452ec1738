// base: count
// verdict: WrongOutput
// Includes the middle.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  f[i] = v[i] >= 127 ? 1 : 0;
}
