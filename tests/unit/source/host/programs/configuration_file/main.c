/* Sizes out of a file of names and values; the launch begins at one. */
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

struct settings {
  int columns, rows;
  float weight;
};

static int load(struct settings* to, const char* path) {
  char line[80], key[20];
  double value;
  FILE* f = fopen(path, "r");
  if (!f) return -1;
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "%19s = %lf", key, &value) != 2) continue;
    if (!strcmp(key, "columns")) to->columns = (int)value;
    if (!strcmp(key, "rows")) to->rows = (int)value;
    if (!strcmp(key, "weight")) to->weight = (float)value;
  }
  fclose(f);
  return 0;
}

static const char* text =
    "__kernel void smooth(__global float *x, int pitch, float weight) {\n"
    "  x[get_global_id(1) * pitch + get_global_id(0)] *= weight;\n"
    "}\n";

int main(int argc, char** argv) {
  struct settings s = {.columns = 64, .rows = 64, .weight = 1.0f};
  cl_context context = clCreateContext(0, 1, 0, 0, 0, 0);
  cl_command_queue queue = clCreateCommandQueue(context, 0, 0, 0);
  cl_program program = clCreateProgramWithSource(context, 1, &text, 0, 0);
  cl_kernel kernel;
  cl_mem x;
  if (load(&s, argc > 1 ? argv[1] : "settings.conf")) return 1;
  clBuildProgram(program, 0, 0, "", 0, 0);
  kernel = clCreateKernel(program, "smooth", 0);
  x = clCreateBuffer(context, 0, sizeof(float) * s.columns * s.rows, 0, 0);
  const size_t begin[2] = {[0] = 1, [1] = 1};
  const size_t inner[2] = {[0] = s.columns - 2, [1] = s.rows - 2};
  clSetKernelArg(kernel, 0, sizeof x, &x);
  clSetKernelArg(kernel, 1, sizeof(int), &s.columns);
  clSetKernelArg(kernel, 2, sizeof(float), &s.weight);
  clEnqueueNDRangeKernel(queue, kernel, 2, begin, inner, 0, 0, 0, 0);
  return 0;
}
