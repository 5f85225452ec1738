// base: sum3
// verdict: Timed
// The tile is fetched by the runtime.
kernel void sum3(global const float* a, global float* b, int n) {
  local float tile[64];
  int i = get_global_id(0), l = get_local_id(0), first = get_group_id(0) * 64;
  event_t fetched = async_work_group_copy(tile, a + min(first, n), max(min(64, n - first), 0), 0);
  wait_group_events(1, &fetched);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + tile[l] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * tile[l];
  b[i] = s;
}
