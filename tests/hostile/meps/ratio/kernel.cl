// A quotient whose divisor is often zero: infinities and NaNs are part of the answer.
kernel void ratio(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float d = a[(i * 7 + 3) % n];
  b[i] = a[i] / d;
}
