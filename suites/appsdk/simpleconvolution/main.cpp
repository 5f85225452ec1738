#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>

#include "arguments.hpp"
#include "image.hpp"

static double milliseconds(const cl::Event& event) {
  return 1e-6 *
         (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

static cl::size_type padded(int size, int group) { return (size + group - 1) / group * group; }

static int run(const Arguments& sizes) {
  const std::vector<float> image = make_image(sizes.width, sizes.height);
  const std::vector<float> mask = make_mask(sizes.mask);

  cl::Context context(CL_DEVICE_TYPE_ALL);
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
  cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  std::ifstream file("convolution.cl");
  const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  cl::Program program(context, source);
  program.build();
  cl::Kernel kernel(program, "simple_convolution");

  const std::size_t bytes = image.size() * sizeof(float);
  cl::Buffer image_buffer(context, CL_MEM_READ_ONLY, bytes);
  cl::Buffer mask_buffer(context, CL_MEM_READ_ONLY, mask.size() * sizeof(float));
  cl::Buffer output_buffer(context, CL_MEM_WRITE_ONLY, bytes);
  queue.enqueueWriteBuffer(image_buffer, CL_TRUE, 0, bytes, image.data());
  queue.enqueueWriteBuffer(mask_buffer, CL_TRUE, 0, mask.size() * sizeof(float), mask.data());

  const cl_int2 input_size = {{sizes.width, sizes.height}};
  const cl_int2 mask_size = {{sizes.mask, sizes.mask}};
  kernel.setArg(0, output_buffer);
  kernel.setArg(1, image_buffer);
  kernel.setArg(2, mask_buffer);
  kernel.setArg(3, input_size);
  kernel.setArg(4, mask_size);

  double best = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 4; turn++) {
    cl::Event event;
    queue.enqueueFillBuffer(output_buffer, std::numeric_limits<float>::quiet_NaN(), 0, bytes);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(padded(sizes.width, 32), padded(sizes.height, 8)),
                               cl::NDRange(32, 8), nullptr, &event);
    event.wait();
    if (turn > 0) best = std::min(best, milliseconds(event));  // the first turn warms up
  }

  std::vector<float> output(image.size(), NAN);
  queue.enqueueReadBuffer(output_buffer, CL_TRUE, 0, bytes, output.data());
  const unsigned wrong = wrong_pixels(output, image, mask, sizes.width, sizes.height, sizes.mask);
  std::cout << "kernel_ms " << best << "\n";
  if (wrong) std::cout << wrong << " pixels are wrong\n";
  std::cout << "check " << (wrong ? "FAILED" : "OK") << "\n";
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  try {
    return run(Arguments::parse(argc, argv));
  } catch (const cl::Error& error) {
    std::cerr << error.what() << " failed with " << error.err() << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 2;
}
