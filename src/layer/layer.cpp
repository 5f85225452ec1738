// libhone_layer.so, which an OpenCL loader puts before every runtime when OPENCL_LAYERS names it. Each function calls
// the runtime first and then tells the recorder what was done; nothing a program asks for is changed. The folder to
// record into is HONE_LAYER_FOLDER; without it the layer does nothing at all.

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl_layer.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "layer/recorder.hpp"

namespace {

using hone::layer::Recorder;
using hone::layer::Sizes;

const cl_icd_dispatch* below = nullptr;

Recorder& recorder() {
  static auto* made = new Recorder(std::getenv("HONE_LAYER_FOLDER"));  // lives as long as the program, whatever ends it
  return *made;
}

cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                      cl_int* status) {
  auto* program = below->clCreateProgramWithSource(context, count, strings, lengths, status);
  if (program == nullptr) return program;
  std::string source;
  for (cl_uint i = 0; i < count; ++i)
    source.append(strings[i], lengths != nullptr && lengths[i] != 0 ? lengths[i] : std::strlen(strings[i]));
  recorder().program(program, source);
  return program;
}

cl_program CL_API_CALL create_binary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const size_t* lengths, const unsigned char** binaries, cl_int* statuses,
                                     cl_int* status) {
  auto* program = below->clCreateProgramWithBinary(context, count, devices, lengths, binaries, statuses, status);
  if (program != nullptr) recorder().program_without_source(program);
  return program;
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                                 void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  recorder().build(program, options == nullptr ? "" : options);
  return below->clBuildProgram(program, count, devices, options, notify, data);
}

cl_program CL_API_CALL create_intermediate(cl_context context, const void* text, size_t length, cl_int* status) {
  auto* program = below->clCreateProgramWithIL(context, text, length, status);
  if (program != nullptr) recorder().program_without_source(program);
  return program;
}

cl_int CL_API_CALL compile_program(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                                   cl_uint headers, const cl_program* header, const char** names,
                                   void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  recorder().build(program, options == nullptr ? "" : options);
  return below->clCompileProgram(program, count, devices, options, headers, header, names, notify, data);
}

cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id* devices, const char* options,
                                    cl_uint parts, const cl_program* part, void(CL_CALLBACK* notify)(cl_program, void*),
                                    void* data, cl_int* status) {
  auto* program = below->clLinkProgram(context, count, devices, options, parts, part, notify, data, status);
  if (program != nullptr) recorder().linked(program, {part, part + parts});
  return program;
}

void made_kernel(cl_kernel kernel) {
  cl_program program = nullptr;
  char name[1024] = "";
  below->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
  recorder().kernel(kernel, program, name);
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* status) {
  auto* kernel = below->clCreateKernel(program, name, status);
  if (kernel != nullptr) made_kernel(kernel);
  return kernel;
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* made) {
  const auto status = below->clCreateKernelsInProgram(program, count, kernels, made);
  cl_uint all = 0;
  below->clCreateKernelsInProgram(program, 0, nullptr, &all);
  if (status == CL_SUCCESS && kernels != nullptr) std::for_each(kernels, kernels + std::min(count, all), made_kernel);
  return status;
}

cl_kernel CL_API_CALL clone_kernel(cl_kernel kernel, cl_int* status) {
  auto* copy = below->clCloneKernel(kernel, status);
  if (copy != nullptr) recorder().copy_kernel(copy, kernel);
  return copy;
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* status) {
  auto* buffer = below->clCreateBuffer(context, flags, size, host, status);
  if (buffer != nullptr) recorder().buffer(buffer, size);
  return buffer;
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void* what,
                                     cl_int* status) {
  auto* buffer = below->clCreateSubBuffer(parent, flags, type, what, status);
  if (buffer != nullptr && type == CL_BUFFER_CREATE_TYPE_REGION)
    recorder().buffer(buffer, static_cast<const cl_buffer_region*>(what)->size);
  return buffer;
}

cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                const cl_image_desc* description, void* host, cl_int* status) {
  auto* image = below->clCreateImage(context, flags, format, description, host, status);
  if (image != nullptr) recorder().image(image);
  return image;
}

cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format* format, size_t width,
                                   size_t height, size_t pitch, void* host, cl_int* status) {
  auto* image = below->clCreateImage2D(context, flags, format, width, height, pitch, host, status);
  if (image != nullptr) recorder().image(image);
  return image;
}

cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalised, cl_addressing_mode addressing,
                                      cl_filter_mode filter, cl_int* status) {
  auto* sampler = below->clCreateSampler(context, normalised, addressing, filter, status);
  if (sampler != nullptr) recorder().sampler(sampler);
  return sampler;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  const auto status = below->clSetKernelArg(kernel, index, size, value);
  if (status == CL_SUCCESS) recorder().argument(kernel, index, size, value);
  return status;
}

cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                           const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait,
                           cl_event* event) {
  const auto status =
      below->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
  if (status != CL_SUCCESS) return status;
  Sizes sizes;
  sizes.global.assign(global, global + dimensions);
  if (local != nullptr) sizes.local.assign(local, local + dimensions);
  if (offset != nullptr) sizes.offset.assign(offset, offset + dimensions);
  recorder().launch(kernel, sizes);
  return status;
}

cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event* wait,
                                cl_event* event) {
  const auto status = below->clEnqueueTask(queue, kernel, waits, wait, event);
  if (status == CL_SUCCESS) recorder().launch(kernel, {{1}, {1}, {}});
  return status;
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void* value, size_t* size_ret) {
  static constexpr char name[] = "hone";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void* answer = what == CL_LAYER_NAME ? static_cast<const void*>(name) : &version;
  const size_t bytes = what == CL_LAYER_NAME ? sizeof name : sizeof version;
  if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value != nullptr && size < bytes) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, answer, bytes);
  if (size_ret != nullptr) *size_ret = bytes;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* entries_ret,
                                            const cl_icd_dispatch** layer) {
  static cl_icd_dispatch table;
  if (target == nullptr || entries_ret == nullptr || layer == nullptr) return CL_INVALID_VALUE;
  if (entries < sizeof table / sizeof table.clGetPlatformIDs) return CL_INVALID_VALUE;
  below = target;
  std::memset(&table, 0, sizeof table);  // what stays empty goes to the runtime directly
  if (std::getenv("HONE_LAYER_FOLDER") != nullptr) {
    recorder();  // tells that the layer is there, whatever the program does
    table.clCreateProgramWithSource = create_program;
    table.clCreateProgramWithBinary = create_binary;
    table.clCreateProgramWithIL = create_intermediate;
    table.clBuildProgram = build_program;
    table.clCompileProgram = compile_program;
    table.clLinkProgram = link_program;
    table.clCreateKernel = create_kernel;
    table.clCreateKernelsInProgram = create_kernels;
    table.clCloneKernel = clone_kernel;
    table.clCreateBuffer = create_buffer;
    table.clCreateSubBuffer = create_sub_buffer;
    table.clCreateImage = create_image;
    table.clCreateImage2D = create_image_2d;
    table.clCreateSampler = create_sampler;
    table.clSetKernelArg = set_argument;
    table.clEnqueueNDRangeKernel = enqueue;
    table.clEnqueueTask = enqueue_task;
  }
  *layer = &table;
  *entries_ret = sizeof table / sizeof table.clGetPlatformIDs;
  return CL_SUCCESS;
}

}  // extern "C"
