#include "sorter.hpp"

#include <algorithm>

#include "bitonic_kernel.hpp"

BitonicSorter::BitonicSorter() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<cl::Device> devices;
  platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
  device_ = devices.at(0);
  context_ = cl::Context(device_);
  queue_ = cl::CommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE);
  program_ = cl::Program(context_, bitonic_source);
  program_.build({device_});
}

double BitonicSorter::sort(std::vector<cl_uint>& keys, bool ascending) {
  // the network sorts powers of two: what is missing is filled with keys that belong at the end
  cl_uint stages = 0;
  while ((std::size_t{1} << stages) < keys.size()) stages++;
  const std::size_t padded = std::size_t{1} << stages;
  std::vector<cl_uint> all(keys);
  all.resize(padded, ascending ? CL_UINT_MAX : 0u);

  cl::Buffer buffer(context_, CL_MEM_READ_WRITE, padded * sizeof(cl_uint));
  cl::copy(queue_, all.begin(), all.end(), buffer);

  cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl_uint> pass_kernel(program_, "bitonic_pass");
  const std::size_t pairs = padded / 2;
  const cl::EnqueueArgs range(queue_, cl::NDRange(pairs), cl::NDRange(std::min<std::size_t>(pairs, 256)));

  std::vector<cl::Event> events;
  for (cl_uint stage = 0; stage < stages; stage++)
    for (cl_uint pass = 0; pass <= stage; pass++)
      events.push_back(pass_kernel(range, buffer, stage, pass, ascending ? 1u : 0u));
  queue_.finish();

  double ms = 0.0;
  for (const cl::Event& event : events)
    ms += 1e-6 * static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                     event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  std::fill(all.begin(), all.end(), 0xdeadbeefu);
  cl::copy(queue_, buffer, all.begin(), all.end());
  std::copy_n(all.begin(), keys.size(), keys.begin());
  return ms;
}
