#include "merger.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace {

// One work-item for each value; those of one head share its two weights.
const std::string merge_source = R"opencl(
__kernel void merge_attn_states_lse(__global const float *prefix_values, __global const float *prefix_lse,
                                    __global const float *suffix_values, __global const float *suffix_lse,
                                    __global float *out_values, __global float *out_lse, const int tokens, const int heads)
{
    const int token = get_global_id(2);
    const int head = get_global_id(1);
    const int i = get_global_id(0);
    if (i >= HEAD_SIZE || head >= heads || token >= tokens)
        return;

    const int row = token * heads + head;
    const float p_lse = prefix_lse[row];
    const float s_lse = suffix_lse[row];
    const float max_lse = fmax(p_lse, s_lse);
    const float p_exp = exp(p_lse - max_lse);
    const float s_exp = exp(s_lse - max_lse);
    const float sum = p_exp + s_exp;
    const float p_scale = p_exp / sum;
    const float s_scale = s_exp / sum;

    out_values[row * HEAD_SIZE + i] =
        prefix_values[row * HEAD_SIZE + i] * p_scale + suffix_values[row * HEAD_SIZE + i] * s_scale;
    if (i == 0)
        out_lse[row] = log(sum) + max_lse;
}
)opencl";

constexpr std::size_t group_size = 64;

}  // namespace

Merger::Merger(const Shape& shape, const State& prefix, const State& suffix)
    : shape_(shape), context_(CL_DEVICE_TYPE_ALL) {
  const cl::Device device = context_.getInfo<CL_CONTEXT_DEVICES>().at(0);
  queue_ = cl::CommandQueue(context_, device, CL_QUEUE_PROFILING_ENABLE);

  cl::Program program(context_, merge_source);
  std::ostringstream options;
  options << "-DHEAD_SIZE=" << shape.head_size;
  program.build({device}, options.str().c_str());
  kernel_ = cl::Kernel(program, "merge_attn_states_lse");

  prefix_values_ = upload(prefix.values);
  prefix_lse_ = upload(prefix.lse);
  suffix_values_ = upload(suffix.values);
  suffix_lse_ = upload(suffix.lse);
  out_values_ = cl::Buffer(context_, CL_MEM_READ_WRITE, shape.values() * sizeof(float));
  out_lse_ = cl::Buffer(context_, CL_MEM_READ_WRITE, shape.rows() * sizeof(float));
}

cl::Buffer Merger::upload(const std::vector<float>& values) {
  cl::Buffer buffer(context_, CL_MEM_READ_ONLY, values.size() * sizeof(float));
  queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(float), values.data());
  return buffer;
}

double Merger::merge() {
  queue_.enqueueFillBuffer(out_values_, NAN, 0, shape_.values() * sizeof(float));
  queue_.enqueueFillBuffer(out_lse_, NAN, 0, shape_.rows() * sizeof(float));
  cl_uint position = 0;
  for (const cl::Buffer* buffer :
       {&prefix_values_, &prefix_lse_, &suffix_values_, &suffix_lse_, &out_values_, &out_lse_})
    kernel_.setArg(position++, *buffer);
  kernel_.setArg(position++, shape_.tokens);
  kernel_.setArg(position, shape_.heads);

  const std::size_t columns = (shape_.head_size + group_size - 1) / group_size * group_size;
  const cl::NDRange global(columns, shape_.heads, shape_.tokens), local(group_size, 1, 1);
  cl::Event event;
  queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, global, local, nullptr, &event);
  queue_.finish();
  return 1e-6 *
         (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

State Merger::result() {
  State state;
  state.values.resize(shape_.values());
  state.lse.resize(shape_.rows());
  queue_.enqueueReadBuffer(out_values_, CL_TRUE, 0, state.values.size() * sizeof(float), state.values.data());
  queue_.enqueueReadBuffer(out_lse_, CL_TRUE, 0, state.lse.size() * sizeof(float), state.lse.data());
  return state;
}
