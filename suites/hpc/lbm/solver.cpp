#include "solver.hpp"

#include <limits>
#include <string>
#include <utility>

#include "lbm_source.hpp"

namespace {

std::size_t bytes_of(const Flow& flow) { return flow.start.size() * sizeof(float); }

std::size_t up_to_multiple(int size, std::size_t of) { return (size + of - 1) / of * of; }

}  // namespace

Solver::Solver(const Flow& flow)
    : flow_(flow), context_(CL_DEVICE_TYPE_ALL), queue_(context_, CL_QUEUE_PROFILING_ENABLE) {
  const std::string source = std::string(lattice_source) + update_source;
  cl::Program program(context_, source, true);
  step_ = cl::Kernel(program, "lbm_step");
  wall_ = cl::Buffer(context_, CL_MEM_READ_ONLY, flow.cells());
  now_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes_of(flow));
  next_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes_of(flow));
  queue_.enqueueWriteBuffer(wall_, CL_TRUE, 0, flow.cells(), flow.wall.data());
}

double Solver::run() {
  queue_.enqueueWriteBuffer(now_, CL_TRUE, 0, bytes_of(flow_), flow_.start.data());
  queue_.enqueueFillBuffer(next_, std::numeric_limits<float>::quiet_NaN(), 0, bytes_of(flow_));

  const cl::NDRange local(32, 4);
  const cl::NDRange global(up_to_multiple(flow_.params.width, 32), up_to_multiple(flow_.params.height, 4));
  std::vector<cl::Event> events(flow_.steps);
  for (int step = 0; step < flow_.steps; step++) {
    step_.setArg(0, now_);
    step_.setArg(1, next_);
    step_.setArg(2, wall_);
    step_.setArg(3, sizeof(FlowParams), &flow_.params);
    queue_.enqueueNDRangeKernel(step_, cl::NullRange, global, local, nullptr, &events[step]);
    std::swap(now_, next_);
  }
  queue_.finish();

  cl_ulong nanoseconds = 0;
  for (const cl::Event& event : events)
    nanoseconds +=
        event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
  return nanoseconds * 1e-6;
}

std::vector<float> Solver::populations() {
  std::vector<float> values(flow_.start.size(), std::numeric_limits<float>::quiet_NaN());
  queue_.enqueueReadBuffer(now_, CL_TRUE, 0, bytes_of(flow_), values.data());
  return values;
}
