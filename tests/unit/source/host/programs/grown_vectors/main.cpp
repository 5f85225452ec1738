#include <CL/cl.h>

#include <array>
#include <vector>

// Sizes that only the lengths of vectors say, and these are appended to in loops too long to be followed to their end.
struct Cloud {
  std::vector<std::array<float, 4>> points;
  std::vector<int> starts;
};

static Cloud make_cloud(int count) {
  std::vector<float> order;
  for (int z = 0; z < 64; ++z)
    for (int x = 0; x < 64; ++x)
      if ((x + z) % 2 == 0) order.push_back(x * 0.5f);
  order.resize(count);
  Cloud cloud;
  for (float x : order) cloud.points.push_back({x, 0.0f, 0.0f, 1.0f});
  cloud.starts.push_back(0);
  for (int i = 0; i < count; ++i) cloud.starts.push_back(i + 1);
  return cloud;
}

static const char* source =
    "__kernel void weigh(__global const float4 *p, __global const int *start, __global float *out) {"
    "  int i = get_global_id(0); out[i] = p[start[i]].w; }";

int main() {
  const Cloud cloud = make_cloud(20000);
  cl_context context = clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, nullptr, 0, nullptr);
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "weigh", nullptr);
  cl_mem points = clCreateBuffer(context, CL_MEM_READ_ONLY, cloud.points.size() * 16, nullptr, nullptr);
  cl_mem starts = clCreateBuffer(context, CL_MEM_READ_ONLY, cloud.starts.size() * sizeof(int), nullptr, nullptr);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, cloud.points.size() * sizeof(float), nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof points, &points);
  clSetKernelArg(kernel, 1, sizeof starts, &starts);
  clSetKernelArg(kernel, 2, sizeof out, &out);
  const size_t global = cloud.points.size();
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
}
