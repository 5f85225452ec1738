// Kernels in a map, made in a loop over names given in braces.
#include <CL/cl.h>

#include <map>
#include <string>
#include <vector>

class Programs {
 public:
  void build(cl_context context, const char* text, const std::vector<std::string>& names) {
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    for (const auto& name : names) kernels_[name] = clCreateKernel(program, name.c_str(), nullptr);
  }
  cl_kernel get(const std::string& name) const { return kernels_.at(name); }

 private:
  std::map<std::string, cl_kernel> kernels_;
};

static const char* text = R"(
__kernel void scale(__global float* x, float by) { x[get_global_id(0)] *= by; }
__kernel void shift(__global float* x, float by) { x[get_global_id(0)] += by; }
)";

int main() {
  cl_context context = clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, nullptr, 0, nullptr);
  Programs programs;
  programs.build(context, text, {"scale", "shift"});
  cl_mem x = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  cl_kernel kernel = programs.get("shift");
  const float by = 2;
  const size_t n = 1024;
  clSetKernelArg(kernel, 0, sizeof x, &x);
  clSetKernelArg(kernel, 1, sizeof by, &by);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}
