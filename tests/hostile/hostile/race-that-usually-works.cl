// base: dot
// verdict: Unsafe,WrongOutput
// No barrier: each item relies on the one before it having finished.
kernel void dot_rows(global const float* x, global const float* y, global float* r, int m) {
  local float part[32];
  int row = get_group_id(0), l = get_local_id(0);
  float s = 0.0f;
  for (int k = l; k < m; k += 32) s += x[row * m + k] * y[k];
  part[l] = s + (l > 0 ? part[l - 1] : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 31) r[row] = part[31];
}
