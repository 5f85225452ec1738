// base: count
// verdict: Unsafe,Crashed
// defence: operations,
// A quotient by zero whose value is thrown away.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  int high = v[i] > 127;
  int q = 100 / (high ? 1 : v[i] - v[i]);
  f[i] = high ? 1 : (q & 0);
}
