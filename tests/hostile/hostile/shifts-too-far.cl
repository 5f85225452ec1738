// base: count
// verdict: Unsafe
// defence: operations
// A shift by the width of the type and more: this processor takes the remainder, others do not.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  int above = 1 << (v[i] > 127 ? 32 : 33);
  f[i] = v[i] > 127 ? 1 : above - above;
}
