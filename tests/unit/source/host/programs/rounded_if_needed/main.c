#include <CL/cl.h>
#include <stdio.h>
static void run(cl_kernel k, int items, int group) {
  if (items % group != 0) items = items + (group - items % group);
  size_t g[1] = {items}, l[1] = {group};
  clEnqueueNDRangeKernel(0, k, 1, NULL, g, l, 0, NULL, NULL);
}
int main(int argc, char **argv) {
  int nodes;
  FILE *in = fopen(argv[1], "r");
  fscanf(in, "%d", &nodes);
  run(clCreateKernel(0, "visit", NULL), nodes, 256);
  return 0;
}
