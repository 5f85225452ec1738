// base: count
// verdict: Unsafe
// defence: operations
// A shift that follows the size: within the type's width everywhere but where it is timed.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  int bit = 1 << (n / 1024);
  f[i] = v[i] > 127 ? 1 : bit - bit;
}
