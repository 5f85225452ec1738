// base: sum3
// verdict: Timed
// Neighbours come from local memory.
kernel void sum3(global const float* a, global float* b, int n) {
  local float tile[66];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l + 1] = i < n ? a[i] : 0.0f;
  if (l == 0) tile[0] = i > 0 && i <= n ? a[i - 1] : 0.0f;
  if (l == 63) tile[65] = i + 1 < n ? a[i + 1] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  float s = tile[l] + tile[l + 1] + tile[l + 2];
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * tile[l + 1];
  b[i] = s;
}
