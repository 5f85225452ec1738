/* OpenCL's C interface as far as reading host code needs it, for machines without the Khronos headers. Functions take
   anything: what their arguments mean is known by position. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#define HONE_ANY ...
extern "C" {
#else
#define HONE_ANY
#endif
#define CL_API_ENTRY
#define CL_API_CALL
#define CL_CALLBACK
typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short;
typedef uint16_t cl_ushort, cl_half;
typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool, cl_channel_order, cl_channel_type, cl_mem_object_type, cl_addressing_mode,
    cl_filter_mode, cl_platform_info, cl_device_info, cl_context_info, cl_kernel_info, cl_kernel_work_group_info,
    cl_program_info, cl_program_build_info, cl_event_info, cl_profiling_info, cl_mem_info, cl_image_info,
    cl_command_queue_info;
typedef int64_t cl_long;
typedef uint64_t cl_ulong, cl_bitfield, cl_mem_flags, cl_map_flags, cl_device_type, cl_command_queue_properties,
    cl_svm_mem_flags, cl_queue_properties, cl_properties;
typedef float cl_float;
typedef double cl_double;
typedef intptr_t cl_context_properties;
typedef cl_int cl_build_status;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;
#define HONE_VECTOR(type, n)                                                                                    \
  typedef union {                                                                                               \
    cl_##type s[n];                                                                                             \
    struct {                                                                                                    \
      cl_##type x, y;                                                                                           \
    };                                                                                                          \
  } cl_##type##n;
#define HONE_VECTOR4(type, n)                                                                                   \
  typedef union {                                                                                               \
    cl_##type s[n];                                                                                             \
    struct {                                                                                                    \
      cl_##type x, y, z, w;                                                                                     \
    };                                                                                                          \
    struct {                                                                                                    \
      cl_##type s0, s1, s2, s3;                                                                                 \
    };                                                                                                          \
  } cl_##type##n;
#define HONE_VECTORS(type) HONE_VECTOR(type, 2) HONE_VECTOR4(type, 4) HONE_VECTOR4(type, 8) HONE_VECTOR4(type, 16)
HONE_VECTORS(char)
HONE_VECTORS(uchar)
HONE_VECTORS(short)
HONE_VECTORS(ushort)
HONE_VECTORS(int)
HONE_VECTORS(uint)
HONE_VECTORS(long)
HONE_VECTORS(ulong)
HONE_VECTORS(float)
HONE_VECTORS(double)
typedef cl_float4 cl_float3;
typedef cl_int4 cl_int3;
typedef cl_uint4 cl_uint3;
typedef struct {
  cl_channel_order image_channel_order;
  cl_channel_type image_channel_data_type;
} cl_image_format;
typedef struct {
  cl_mem_object_type image_type;
  size_t image_width, image_height, image_depth, image_array_size, image_row_pitch, image_slice_pitch;
  cl_uint num_mip_levels, num_samples;
  cl_mem buffer;
} cl_image_desc;
typedef struct {
  size_t origin, size;
} cl_buffer_region;
enum {
  CL_SUCCESS = 0, CL_DEVICE_NOT_FOUND = -1, CL_BUILD_PROGRAM_FAILURE = -11, CL_FALSE = 0, CL_TRUE = 1,
  CL_BLOCKING = 1, CL_NON_BLOCKING = 0, CL_COMPLETE = 0,
  CL_MEM_READ_WRITE = 1, CL_MEM_WRITE_ONLY = 2, CL_MEM_READ_ONLY = 4, CL_MEM_USE_HOST_PTR = 8,
  CL_MEM_ALLOC_HOST_PTR = 16, CL_MEM_COPY_HOST_PTR = 32, CL_MEM_HOST_WRITE_ONLY = 128, CL_MEM_HOST_READ_ONLY = 256,
  CL_MEM_HOST_NO_ACCESS = 512, CL_MAP_READ = 1, CL_MAP_WRITE = 2, CL_MAP_WRITE_INVALIDATE_REGION = 4,
  CL_DEVICE_TYPE_DEFAULT = 1, CL_DEVICE_TYPE_CPU = 2, CL_DEVICE_TYPE_GPU = 4, CL_DEVICE_TYPE_ACCELERATOR = 8,
  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE = 1, CL_QUEUE_PROFILING_ENABLE = 2, CL_QUEUE_PROPERTIES = 0x1093,
  CL_CONTEXT_PLATFORM = 0x1084, CL_CONTEXT_DEVICES = 0x1081, CL_PLATFORM_NAME = 0x902, CL_PLATFORM_VENDOR = 0x903,
  CL_DEVICE_TYPE = 0x1000, CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002, CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005, CL_DEVICE_LOCAL_MEM_SIZE = 0x1023, CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_NAME = 0x102B, CL_DEVICE_VENDOR = 0x102C, CL_DEVICE_VERSION = 0x102F, CL_DEVICE_EXTENSIONS = 0x1030,
  CL_PROGRAM_BUILD_STATUS = 0x1181, CL_PROGRAM_BUILD_LOG = 0x1183, CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
  CL_PROFILING_COMMAND_QUEUED = 0x1280, CL_PROFILING_COMMAND_SUBMIT = 0x1281, CL_PROFILING_COMMAND_START = 0x1282,
  CL_PROFILING_COMMAND_END = 0x1283, CL_R = 0x10B0, CL_A = 0x10B1, CL_RG = 0x10B2, CL_RGB = 0x10B4, CL_RGBA = 0x10B5,
  CL_BGRA = 0x10B6, CL_INTENSITY = 0x10B8, CL_LUMINANCE = 0x10B9, CL_SNORM_INT8 = 0x10D0, CL_UNORM_INT8 = 0x10D2,
  CL_UNORM_INT16 = 0x10D3, CL_SIGNED_INT8 = 0x10D7, CL_SIGNED_INT16 = 0x10D8, CL_SIGNED_INT32 = 0x10D9,
  CL_UNSIGNED_INT8 = 0x10DA, CL_UNSIGNED_INT16 = 0x10DB, CL_UNSIGNED_INT32 = 0x10DC, CL_HALF_FLOAT = 0x10DD,
  CL_FLOAT = 0x10DE, CL_MEM_OBJECT_IMAGE2D = 0x10F1, CL_MEM_OBJECT_IMAGE3D = 0x10F2,
  CL_MEM_OBJECT_IMAGE2D_ARRAY = 0x10F3, CL_MEM_OBJECT_IMAGE1D = 0x10F4, CL_ADDRESS_NONE = 0x1130,
  CL_ADDRESS_CLAMP_TO_EDGE = 0x1131, CL_ADDRESS_CLAMP = 0x1132, CL_ADDRESS_REPEAT = 0x1133,
  CL_FILTER_NEAREST = 0x1140, CL_FILTER_LINEAR = 0x1141, CL_BUFFER_CREATE_TYPE_REGION = 0x1220
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF
cl_int clGetPlatformIDs(HONE_ANY), clGetPlatformInfo(HONE_ANY), clGetDeviceIDs(HONE_ANY), clGetDeviceInfo(HONE_ANY),
    clGetContextInfo(HONE_ANY), clBuildProgram(HONE_ANY), clCompileProgram(HONE_ANY), clGetProgramBuildInfo(HONE_ANY),
    clGetProgramInfo(HONE_ANY), clCreateKernelsInProgram(HONE_ANY), clSetKernelArg(HONE_ANY),
    clGetKernelWorkGroupInfo(HONE_ANY), clGetKernelInfo(HONE_ANY), clEnqueueNDRangeKernel(HONE_ANY),
    clEnqueueTask(HONE_ANY), clEnqueueReadBuffer(HONE_ANY), clEnqueueWriteBuffer(HONE_ANY),
    clEnqueueCopyBuffer(HONE_ANY), clEnqueueFillBuffer(HONE_ANY), clEnqueueReadImage(HONE_ANY),
    clEnqueueWriteImage(HONE_ANY), clEnqueueCopyImage(HONE_ANY), clEnqueueCopyImageToBuffer(HONE_ANY),
    clEnqueueCopyBufferToImage(HONE_ANY), clEnqueueReadBufferRect(HONE_ANY), clEnqueueWriteBufferRect(HONE_ANY),
    clEnqueueUnmapMemObject(HONE_ANY), clEnqueueBarrier(HONE_ANY), clEnqueueMarker(HONE_ANY), clFinish(HONE_ANY),
    clFlush(HONE_ANY), clWaitForEvents(HONE_ANY), clGetEventInfo(HONE_ANY), clGetEventProfilingInfo(HONE_ANY),
    clReleaseMemObject(HONE_ANY), clReleaseKernel(HONE_ANY), clReleaseProgram(HONE_ANY),
    clReleaseCommandQueue(HONE_ANY), clReleaseContext(HONE_ANY), clReleaseEvent(HONE_ANY), clReleaseSampler(HONE_ANY),
    clReleaseDevice(HONE_ANY), clRetainMemObject(HONE_ANY), clUnloadCompiler(HONE_ANY), clGetMemObjectInfo(HONE_ANY);
cl_context clCreateContext(HONE_ANY), clCreateContextFromType(HONE_ANY);
cl_command_queue clCreateCommandQueue(HONE_ANY), clCreateCommandQueueWithProperties(HONE_ANY);
cl_mem clCreateBuffer(HONE_ANY), clCreateSubBuffer(HONE_ANY), clCreateImage(HONE_ANY), clCreateImage2D(HONE_ANY),
    clCreateImage3D(HONE_ANY), clCreatePipe(HONE_ANY);
cl_sampler clCreateSampler(HONE_ANY), clCreateSamplerWithProperties(HONE_ANY);
cl_program clCreateProgramWithSource(HONE_ANY), clCreateProgramWithBinary(HONE_ANY), clLinkProgram(HONE_ANY);
cl_kernel clCreateKernel(HONE_ANY);
void *clEnqueueMapBuffer(HONE_ANY), *clEnqueueMapImage(HONE_ANY), *clSVMAlloc(HONE_ANY);
#ifdef __cplusplus
}
#endif
