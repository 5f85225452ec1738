// hone devices --self-test, OpenCL. Each kernel has its twin in kernels.cu.
__kernel void scale(__global const float* x, __global float* y, float factor, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = factor * x[i];
}
__kernel void reverse(__global const int* x, __global int* y, __local int* part) {
  const int here = get_local_id(0), last = get_local_size(0) - 1;
  part[here] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = part[last - here];
}
__kernel void count_even(__global const int* x, __global int* count, int n) {
  const int i = get_global_id(0);
  if (i < n && x[i] % 2 == 0) atomic_add(count, 1);
}
__kernel void add_one(__global int* y) { y[get_global_id(0)] += 1; }
__kernel void stray(__global int* y, int n) { y[get_global_id(0) + n] = 7; }
__kernel void plane(__global int* y, int width) {
  y[get_global_id(1) * width + get_global_id(0)] = 1000 * get_group_id(1) + get_group_id(0);
}
__kernel void endless(__global volatile int* y) {
  while (y[0] != 12345) y[1] += 1;
}
