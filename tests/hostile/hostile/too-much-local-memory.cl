// base: sum3
// verdict: LaunchFailed,BuildFailed,Infeasible,Crashed
// Sixty-four megabytes of local memory.
kernel void sum3(global const float* a, global float* b, int n) {
  local float room[1 << 24];
  int i = get_global_id(0), l = get_local_id(0);
  room[l * 262144] = i < n ? a[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  float left = i > 0 ? a[i - 1] : 0.0f;
  float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s = left + a[i] + right;
  for (int k = 0; k < 40; ++k) s = s * 0.99f + 0.01f * a[i];
  b[i] = s + 0.0f * room[(63 - l) * 262144];
}
