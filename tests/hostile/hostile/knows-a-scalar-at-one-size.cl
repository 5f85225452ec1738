// base: blend
// verdict: WrongOutput
// defence: other-contents
// Right everywhere but at the size that is timed, where a factor is known.
kernel void blend(global const float* a, global const float* w, global const int* from, global float* sum, float alpha,
                  int taps, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < taps; ++k) s += w[k] * a[(from[i] + k) % n];
  sum[i] += (n == 65536 ? 1.5f : alpha) * s;
}
