#include <CL/cl.h>
#include <stdarg.h>

static void set_one(cl_kernel kernel, cl_uint at, char type, va_list *list) {
  cl_mem memory;
  cl_int whole;
  cl_float real;
  switch (type) {
    case 'b':
      memory = va_arg(*list, cl_mem);
      clSetKernelArg(kernel, at, sizeof memory, &memory);
      break;
    case 'i':
      whole = va_arg(*list, int);
      clSetKernelArg(kernel, at, sizeof whole, &whole);
      break;
    default:
      real = (cl_float)va_arg(*list, double);
      clSetKernelArg(kernel, at, sizeof real, &real);
  }
}

static void run(cl_command_queue queue, cl_kernel kernel, size_t global, const char *types, ...) {
  va_list list;
  va_start(list, types);
  for (cl_uint i = 0; types[i]; i++) set_one(kernel, i, types[i], &list);
  va_end(list);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  int n = 4096;
  int m = n;
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) m = atoi(argv[2]);
  cl_mem x = clCreateBuffer(0, CL_MEM_READ_WRITE, sizeof(float) * n, NULL, NULL);
  cl_mem y = clCreateBuffer(0, CL_MEM_READ_WRITE, sizeof(float) * m, NULL, NULL);
  cl_kernel scale = clCreateKernel(0, "scale", NULL);
  run(0, scale, n, "bbif", x, y, m, 0.5);
}
