// A = L U in place: L with its diagonal below, U with a diagonal of ones above.

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdio>
#include <cstdlib>

#include "kernels.hpp"
#include "matrix.hpp"

namespace {

constexpr int group_x = 32, group_y = 4;

int up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

double milliseconds(const cl::Event& event) {
  return 1e-6 * static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

int factor(int n) {
  const std::vector<float> a = dominant_matrix(n, 11);
  std::vector<float> lu(a);

  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<cl::Device> devices;
  platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
  cl::Context context(devices.at(0));
  cl::CommandQueue queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
  cl::Program program(context, std::string(lu_source), true);
  cl::Kernel scale(program, "lu_scale"), update(program, "lu_update");
  cl::Buffer matrix(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, lu.size() * sizeof(float), lu.data());

  scale.setArg(0, matrix);
  scale.setArg(2, n);
  update.setArg(0, matrix);
  update.setArg(2, n);
  std::vector<cl::Event> events;
  for (int k = 0; k + 1 < n; ++k) {
    const int rest = n - k - 1;
    scale.setArg(1, k);
    events.emplace_back();
    queue.enqueueNDRangeKernel(scale, cl::NullRange, cl::NDRange(up(rest, 64)), cl::NDRange(64), nullptr, &events.back());
    update.setArg(1, k);
    events.emplace_back();
    queue.enqueueNDRangeKernel(update, cl::NullRange, cl::NDRange(up(rest, group_x), up(rest, group_y)), cl::NDRange(group_x, group_y),
                               nullptr, &events.back());
  }
  queue.enqueueReadBuffer(matrix, CL_TRUE, 0, lu.size() * sizeof(float), lu.data());

  double total = 0;
  for (const auto& event : events) total += milliseconds(event);
  const long wrong = count_wrong(a, lu, n);
  std::printf("kernel_ms %.4f\ncheck %s\n", total, wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 640;
  if (n < 2 || n > 8192) {
    std::fprintf(stderr, "usage: %s [size from 2 to 8192]\n", argv[0]);
    return 2;
  }
  try {
    return factor(n);
  } catch (const cl::BuildError& error) {
    for (const auto& log : error.getBuildLog()) std::fprintf(stderr, "%s\n", log.second.c_str());
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "%s: OpenCL error %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
