#include "opencl.hpp"
int main() {
  const size_t n = 5000;
  Runner runner("kernel void add(global float *a, global float *b) { a[get_global_id(0)] += b[get_global_id(0)]; }");
  auto a = runner.buffer(n * 4), b = runner.buffer(n * 4);
  runner.run("add", n, a, b);
}
