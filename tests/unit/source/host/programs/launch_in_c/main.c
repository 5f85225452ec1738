#include <cuda.h>
#include <stdlib.h>
#include "ramp.h"

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a;
  cudaMalloc((void **)&a, n * sizeof(float));
  ramp<<<(n + 63) / 64, 64>>>(a, n);
  return 0;
}
