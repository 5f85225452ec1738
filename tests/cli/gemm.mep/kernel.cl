__kernel void gemm(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i < m && j < n) {
    float sum = 0.0f;
    for (int x = 0; x < k; x++) sum += a[i * k + x] * b[x * n + j];
    c[i * n + j] = sum;
  }
}
