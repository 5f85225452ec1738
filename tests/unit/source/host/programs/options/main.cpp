#include <CL/cl.h>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
static const char* source = "kernel void f(global float* a) { a[0] = TILE; }";
int main() {
  const int tile = 16;
  char printed[64], joined[64];
  snprintf(printed, sizeof printed, "-DTILE=%d -DTYPE=%s", tile, "float");
  strcpy(joined, "-DTILE=");
  strcat(joined, "8");
  std::ostringstream stream;
  stream << "-DTILE=" << tile * 2 << " -cl-mad-enable";
  std::string sum = "-DTILE=" + std::to_string(tile * 4);
  cl_program a = clCreateProgramWithSource(nullptr, 1, &source, nullptr, nullptr);
  clBuildProgram(a, 0, nullptr, printed, nullptr, nullptr);
  cl_program b = clCreateProgramWithSource(nullptr, 1, &source, nullptr, nullptr);
  clBuildProgram(b, 0, nullptr, stream.str().c_str(), nullptr, nullptr);
  cl_program c = clCreateProgramWithSource(nullptr, 1, &source, nullptr, nullptr);
  clBuildProgram(c, 0, nullptr, sum.c_str(), nullptr, nullptr);
  cl_program d = clCreateProgramWithSource(nullptr, 1, &source, nullptr, nullptr);
  clBuildProgram(d, 0, nullptr, joined, nullptr, nullptr);
  size_t one = 1;
  clEnqueueNDRangeKernel(nullptr, clCreateKernel(a, "f", nullptr), 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  return 0;
}
