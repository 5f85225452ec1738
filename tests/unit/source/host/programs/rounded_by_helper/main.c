#include <CL/cl.h>
#include <stdlib.h>
static size_t round_up(size_t v, size_t m) { return (v + m - 1) / m * m; }
static void run(cl_kernel k, size_t gx, size_t gy, size_t lx, size_t ly) {
  size_t g[2], l[2];
  l[0] = lx;
  l[1] = ly;
  g[0] = round_up(gx, lx);
  g[1] = round_up(gy, ly);
  clEnqueueNDRangeKernel(0, k, 2, NULL, g, l, 0, NULL, NULL);
}
int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 1000, height = argc > 2 ? atoi(argv[2]) : 500;
  run(clCreateKernel(0, "blur", NULL), width, height, 16, 8);
  return 0;
}
