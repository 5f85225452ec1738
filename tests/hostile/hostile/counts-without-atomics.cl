// base: count
// verdict: Unsafe,WrongOutput
// Two items may count at once and one is lost.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  h[v[i]] = h[v[i]] + 1;
  f[i] = v[i] > 127 ? 1 : 0;
}
