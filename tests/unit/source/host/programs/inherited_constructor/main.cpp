// Stages that inherit the constructor of their base, each with a launch of its own.
#include <CL/cl.h>

#include <memory>
#include <vector>

struct Device {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

class Stage {
 public:
  Stage(Device& device, int items) : device_(device), items_(items) {}
  virtual void launch(cl_mem x) = 0;

 protected:
  Device& device_;
  int items_;
};

class Scale : public Stage {
 public:
  using Stage::Stage;
  void launch(cl_mem x) override {
    cl_kernel kernel = clCreateKernel(device_.program, "scale", nullptr);
    const size_t n = items_;
    clSetKernelArg(kernel, 0, sizeof x, &x);
    clEnqueueNDRangeKernel(device_.queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  }
};

static const char* text = "__kernel void scale(__global float* x) { x[get_global_id(0)] *= 2.0f; }\n";

int main() {
  Device device{};
  device.context = clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, nullptr);
  device.queue = clCreateCommandQueue(device.context, nullptr, 0, nullptr);
  device.program = clCreateProgramWithSource(device.context, 1, &text, nullptr, nullptr);
  clBuildProgram(device.program, 0, nullptr, "", nullptr, nullptr);
  cl_mem x = clCreateBuffer(device.context, 0, 4096, nullptr, nullptr);
  Scale first(device, 1024);
  first.launch(x);
  std::vector<std::unique_ptr<Stage>> more;
  more.push_back(std::make_unique<Scale>(device, 2048));
  for (auto& stage : more) stage->launch(x);
}
