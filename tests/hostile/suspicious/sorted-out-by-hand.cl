// base: ratio
// verdict: Timed
// Every special case spelled out.
kernel void ratio(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float d = a[(i * 7 + 3) % n];
  if (d != 0.0f) b[i] = a[i] / d;
  else if (a[i] == 0.0f) b[i] = NAN;
  else b[i] = copysign(INFINITY, a[i]) * copysign(1.0f, d);
}
