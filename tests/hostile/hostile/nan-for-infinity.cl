// base: ratio
// verdict: WrongOutput
// Every division by zero is a NaN.
kernel void ratio(global const float* a, global float* b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float d = a[(i * 7 + 3) % n];
  b[i] = d == 0.0f ? NAN : a[i] / d;
}
