// base: count
// verdict: WrongOutput,Unsafe
// defence: other-contents
// global: 256
// local: 64
// The histogram is stored, not added to what was there.
kernel void count(global const int* v, global int* f, global int* h, int n) {
  int bin = get_global_id(0);
  int found = 0;
  for (int i = 0; i < n; ++i) found += v[i] == bin ? 1 : 0;
  h[bin] = found;
  for (int i = bin; i < n; i += 256) f[i] = v[i] > 127 ? 1 : 0;
}
