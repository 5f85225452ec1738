#include <CL/cl.h>
struct Slot {
  cl_command_queue queue{};
  cl_kernel kernel{};
  cl_mem data{};
};
const char *text = "__kernel void step(__global float *a) { a[get_global_id(0)] += 1; }";
int main() {
  const size_t n = 1 << 16, chunks = 6, local = 64;
  cl_context context = clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, nullptr);
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);
  Slot slots[2];
  for (auto &slot : slots) {
    slot.queue = clCreateCommandQueue(context, nullptr, 0, nullptr);
    slot.kernel = clCreateKernel(program, "step", nullptr);
    slot.data = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), nullptr, nullptr);
    clSetKernelArg(slot.kernel, 0, sizeof(cl_mem), &slot.data);
  }
  for (size_t c = 0; c < chunks; ++c) {
    Slot &slot = slots[c % 2];
    clEnqueueNDRangeKernel(slot.queue, slot.kernel, 1, nullptr, &n, &local, 0, nullptr, nullptr);
  }
}
