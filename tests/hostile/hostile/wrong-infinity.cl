// base: ratio
// verdict: WrongOutput
// The sign of infinity is lost.
kernel void ratio(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float d = a[(i * 7 + 3) % n];
  float q = a[i] / d;
  b[i] = isinf(q) ? INFINITY : q;
}
