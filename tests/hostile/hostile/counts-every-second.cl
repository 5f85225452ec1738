// base: count
// verdict: WrongOutput
// Half the values, counted double.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  if (i % 2 == 0) atomic_add(&h[v[i]], 2);
  f[i] = v[i] > 127 ? 1 : 0;
}
