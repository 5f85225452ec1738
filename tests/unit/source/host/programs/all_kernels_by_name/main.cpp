#include <CL/opencl.hpp>
#include <map>
#include <string>
#include <vector>
extern const char *const kKernels;
class Engine {
 public:
  explicit Engine(const std::string &text) : context_(CL_DEVICE_TYPE_ALL), queue_(context_), program_(context_, text) {
    program_.build("-cl-std=CL1.2");
    std::vector<cl::Kernel> all;
    program_.createKernels(&all);
    for (auto &one : all) kernels_[one.getInfo<CL_KERNEL_FUNCTION_NAME>()] = one;
  }
  cl::Kernel &kernel(const std::string &name) { return kernels_.at(name); }
  void run(cl::Kernel &kernel, const cl::NDRange &global) { queue_.enqueueNDRangeKernel(kernel, cl::NullRange, global); }
  cl::Buffer make(size_t bytes) { return cl::Buffer(context_, CL_MEM_READ_WRITE, bytes); }

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
  std::map<std::string, cl::Kernel> kernels_;
};
int main() {
  const int n = 4096;
  Engine engine(kKernels);
  auto a = engine.make(n * sizeof(float));
  auto &twice = engine.kernel("twice");
  twice.setArg(0, a);
  engine.run(twice, cl::NDRange(n));
}
