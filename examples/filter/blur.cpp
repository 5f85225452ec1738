#include "blur.hpp"

#include <algorithm>
#include <vector>

// A pixel becomes the weighted mean of the 5 x 5 pixels around it. The two outermost rows and columns are copied.
static const char* const blur_source = R"CL(
__kernel void blur(__global const float *input, __constant float *weights, __global float *output,
                   const int width, const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
        output[y * width + x] = input[y * width + x];
        return;
    }

    float sum = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[(dy + 2) * 5 + dx + 2] * input[(y + dy) * width + x + dx];
    output[y * width + x] = sum;
}
)CL";

static size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

double blur(const Gpu& gpu, const Image& input, const Weights& weights, Image& output, int repeat) {
  const cl_int width = input.width, height = input.height;
  const size_t image_bytes = sizeof(float) * width * height;
  cl_int status = CL_SUCCESS;

  cl_mem input_buffer = clCreateBuffer(gpu.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, image_bytes,
                                       const_cast<float*>(input.pixels.data()), &status);
  require(status, "clCreateBuffer");
  cl_mem weights_buffer = clCreateBuffer(gpu.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(float) * 25,
                                         const_cast<float*>(weights.data()), &status);
  require(status, "clCreateBuffer");
  cl_mem output_buffer = clCreateBuffer(gpu.context, CL_MEM_WRITE_ONLY, image_bytes, nullptr, &status);
  require(status, "clCreateBuffer");

  cl_program program = gpu.build(blur_source);
  cl_kernel kernel = clCreateKernel(program, "blur", &status);
  require(status, "clCreateKernel");
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &input_buffer);
  clSetKernelArg(kernel, 1, sizeof(cl_mem), &weights_buffer);
  clSetKernelArg(kernel, 2, sizeof(cl_mem), &output_buffer);
  clSetKernelArg(kernel, 3, sizeof(cl_int), &width);
  clSetKernelArg(kernel, 4, sizeof(cl_int), &height);

  const size_t local[2] = {16, 8};
  const size_t global[2] = {round_up(width, local[0]), round_up(height, local[1])};
  std::vector<cl_event> events(repeat + 1);
  for (int run = 0; run <= repeat; run++)
    require(clEnqueueNDRangeKernel(gpu.queue, kernel, 2, nullptr, global, local, 0, nullptr, &events[run]), "clEnqueueNDRangeKernel");
  require(clFinish(gpu.queue), "clFinish");

  std::vector<double> times;
  for (cl_event event : events) {
    times.push_back(elapsed(event));
    clReleaseEvent(event);
  }
  times.erase(times.begin());

  require(clEnqueueReadBuffer(gpu.queue, output_buffer, CL_TRUE, 0, image_bytes, output.pixels.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseMemObject(input_buffer);
  clReleaseMemObject(weights_buffer);
  clReleaseMemObject(output_buffer);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}
