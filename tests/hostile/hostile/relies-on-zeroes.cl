// base: count
// verdict: WrongOutput
// defence: poisoned-outputs,awkward-size
// Flags are only written where they are set.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_inc(&h[v[i]]);
  if (v[i] > 127) f[i] = 1;
}
