// C++20: spans of an extent that is not known, and arguments told apart by what is required of them.
#include <CL/cl.h>

#include <span>
#include <type_traits>
#include <vector>

template <class T>
struct Array {
  cl_mem memory;
};

struct Launcher {
  cl_command_queue queue;
  template <class T>
  void set(cl_kernel kernel, cl_uint at, const Array<T>& array) {
    clSetKernelArg(kernel, at, sizeof(cl_mem), &array.memory);
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void set(cl_kernel kernel, cl_uint at, const T& value) {
    clSetKernelArg(kernel, at, sizeof(T), &value);
  }
  template <class... Arguments>
  void run(cl_kernel kernel, size_t items, const Arguments&... arguments) {
    cl_uint at = 0;
    (set(kernel, at++, arguments), ...);
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  }
  void put(cl_mem to, std::span<const float> data) {
    clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, data.size_bytes(), data.data(), 0, nullptr, nullptr);
  }
};

static const char* text = "__kernel void scale(__global float* x, float by) { x[get_global_id(0)] *= by; }\n";

int main() {
  cl_context context = clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, nullptr);
  Launcher launcher{clCreateCommandQueue(context, nullptr, 0, nullptr)};
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "scale", nullptr);
  std::vector<float> data(1024, 1.0f);
  Array<float> x{clCreateBuffer(context, 0, 4096, nullptr, nullptr)};
  launcher.put(x.memory, data);
  launcher.run(kernel, 1024, x, 2.0f);
}
