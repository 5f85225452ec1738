#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static void must(cl_int status, const char* doing) {
  if (status != CL_SUCCESS) stop("%s: OpenCL answers %d", doing, (int)status);
}

static cl_platform_id* platforms(cl_uint* count) {
  cl_platform_id* all;
  if (clGetPlatformIDs(0, NULL, count) != CL_SUCCESS || *count == 0) stop("no OpenCL platform is installed");
  all = zeroed(*count * sizeof *all);
  must(clGetPlatformIDs(*count, all, NULL), "listing the platforms");
  return all;
}

/* A platform may have none. */
static cl_device_id* devices_of(cl_platform_id platform, cl_uint* count) {
  cl_device_id* all;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count) != CL_SUCCESS) *count = 0;
  all = zeroed(*count * sizeof *all);
  if (*count > 0) must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, *count, all, NULL), "listing the devices");
  return all;
}

static void print_device(const char* before, unsigned p, unsigned d, cl_device_id id) {
  char name[256] = "", driver[256] = "";
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
  printf("%s%u:%u  %s, driver %s\n", before, p, d, name, driver);
}

void list_devices(void) {
  cl_uint p, d, platform_count, device_count;
  cl_platform_id* all = platforms(&platform_count);
  for (p = 0; p < platform_count; ++p) {
    cl_device_id* devices = devices_of(all[p], &device_count);
    for (d = 0; d < device_count; ++d) print_device("", p, d, devices[d]);
    free(devices);
  }
  free(all);
}

void open_device(const char* which, struct device* out) {
  unsigned wanted_p = 0, wanted_d = 0;
  cl_uint p, d, platform_count, device_count;
  cl_int status;
  cl_platform_id* all = platforms(&platform_count);
  if (which != NULL && sscanf(which, "%u:%u", &wanted_p, &wanted_d) != 2)
    stop("a device is written platform:device, as --list prints it");
  out->id = NULL;
  for (p = 0; p < platform_count && out->id == NULL; ++p) {
    cl_device_id* devices = devices_of(all[p], &device_count);
    for (d = 0; d < device_count && out->id == NULL; ++d) {
      if (which != NULL && (p != wanted_p || d != wanted_d)) continue;
      out->id = devices[d];
      print_device("device ", p, d, out->id);
    }
    free(devices);
  }
  free(all);
  if (out->id == NULL) stop("there is no such device; --list prints those there are");
  out->context = clCreateContext(NULL, 1, &out->id, NULL, NULL, &status);
  must(status, "opening the device");
  out->queue = clCreateCommandQueue(out->context, out->id, CL_QUEUE_PROFILING_ENABLE, &status);
  must(status, "making a queue that takes times");
}

struct program {
  cl_program program;
  struct {
    const char* name;
    cl_kernel kernel;
  }* kernel;
  size_t kernels;
};

struct program* build_program(const struct device* device, const struct problem* problem, const char* more) {
  struct program* out = zeroed(sizeof *out);
  char* options = zeroed(strlen(problem->options) + (more == NULL ? 0 : strlen(more)) + 2);
  const char* source = problem->source;
  cl_int status;
  out->program = clCreateProgramWithSource(device->context, 1, &source, &problem->source_bytes, &status);
  must(status, "taking the source");
  strcpy(options, problem->options);
  if (more != NULL) strcat(strcat(options, " "), more);
  if (clBuildProgram(out->program, 1, &device->id, options, NULL, NULL) != CL_SUCCESS) {
    size_t size = 0;
    char* log;
    clGetProgramBuildInfo(out->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    log = zeroed(size + 1);
    clGetProgramBuildInfo(out->program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    printf("the kernel of %s does not build with options \"%s\":\n%s\n", problem->folder, options, log);
    free(log);
    return NULL;
  }
  free(options);
  return out;
}

/* Null when the program has no such kernel. */
static cl_kernel kernel_named(struct program* program, const char* name) {
  size_t i;
  cl_int status;
  for (i = 0; i < program->kernels; ++i)
    if (strcmp(program->kernel[i].name, name) == 0) return program->kernel[i].kernel;
  program->kernel = grown(program->kernel, program->kernels, sizeof *program->kernel);
  program->kernel[program->kernels].name = name;
  program->kernel[program->kernels].kernel = clCreateKernel(program->program, name, &status);
  if (status != CL_SUCCESS) return NULL;
  return program->kernel[program->kernels++].kernel;
}

static void fill_memory(const struct memory* memory, unsigned char* out) {
  int known = 1;
  if (strcmp(memory->fill, "poison") == 0)
    memset(out, POISON, memory->bytes);
  else if (memory->is_image && memory->pixel.scale > 0)
    known = fill_normalised(memory->fill, &memory->type, memory->pixel.scale, memory->seed, out, memory->bytes);
  else
    known = fill_elements(memory->fill, &memory->type, memory->seed, out, memory->bytes);
  if (!known) stop("%s: fill \"%s\" is not known", memory->name, memory->fill);
}

/* `backing` gets the buffer below an image that has one. */
static cl_mem make_memory(const struct device* device, const struct memory* memory, cl_mem* backing) {
  cl_int status;
  cl_mem made;
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = memory->kind;
  description.image_width = memory->width;
  if (memory->kind == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    description.image_array_size = memory->height;
  else if (memory->kind != CL_MEM_OBJECT_IMAGE1D && memory->kind != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    description.image_height = memory->height;
  if (memory->kind == CL_MEM_OBJECT_IMAGE2D_ARRAY) description.image_array_size = memory->depth;
  if (memory->kind == CL_MEM_OBJECT_IMAGE3D) description.image_depth = memory->depth;
  if (memory->is_image && memory->kind == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    *backing = clCreateBuffer(device->context, CL_MEM_READ_WRITE, memory->bytes, NULL, &status);
    must(status, memory->name);
    description.buffer = *backing;
  }
  made = memory->is_image
             ? clCreateImage(device->context, CL_MEM_READ_WRITE, &memory->pixel.format, &description, NULL, &status)
             : clCreateBuffer(device->context, CL_MEM_READ_WRITE, memory->bytes, NULL, &status);
  must(status, memory->name);
  return made;
}

struct data* load_data(const struct device* device, const struct workload* workload) {
  struct data* out = zeroed(sizeof *out);
  size_t i;
  out->workload = workload;
  out->initial = zeroed(workload->memories * sizeof *out->initial);
  out->memory = zeroed(workload->memories * sizeof *out->memory);
  out->backing = zeroed(workload->memories * sizeof *out->backing);
  for (i = 0; i < workload->memories; ++i) {
    out->initial[i] = zeroed(workload->memory[i].bytes);
    fill_memory(&workload->memory[i], out->initial[i]);
    out->memory[i] = make_memory(device, &workload->memory[i], &out->backing[i]);
  }
  return out;
}

void free_data(struct data* data) {
  size_t i;
  for (i = 0; i < data->workload->memories; ++i) {
    clReleaseMemObject(data->memory[i]);
    if (data->backing[i] != NULL) clReleaseMemObject(data->backing[i]);
    free(data->initial[i]);
  }
  free(data->memory);
  free(data->backing);
  free(data->initial);
  free(data);
}

/* Where the bytes are written and read: the buffer below an image where there is one. */
static cl_mem bytes_of(const struct data* data, size_t i) {
  return data->backing[i] != NULL ? data->backing[i] : data->memory[i];
}

static void restore(const struct device* device, const struct data* data) {
  const size_t origin[3] = {0, 0, 0};
  size_t i;
  for (i = 0; i < data->workload->memories; ++i) {
    const struct memory* memory = &data->workload->memory[i];
    size_t region[3] = {0, 0, 1};
    region[0] = memory->width;
    region[1] = memory->height;
    region[2] = memory->depth;
    must(memory->is_image && data->backing[i] == NULL
             ? clEnqueueWriteImage(device->queue, data->memory[i], CL_TRUE, origin, region, 0, 0, data->initial[i], 0,
                                   NULL, NULL)
             : clEnqueueWriteBuffer(device->queue, bytes_of(data, i), CL_TRUE, 0, memory->bytes, data->initial[i], 0,
                                    NULL, NULL),
         "restoring the contents");
  }
}

void read_back(const struct device* device, const struct data* data, size_t at, unsigned char* out) {
  const struct memory* memory = &data->workload->memory[at];
  const size_t origin[3] = {0, 0, 0};
  size_t region[3] = {0, 0, 1};
  region[0] = memory->width;
  region[1] = memory->height;
  region[2] = memory->depth;
  must(memory->is_image && data->backing[at] == NULL
           ? clEnqueueReadImage(device->queue, data->memory[at], CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL)
           : clEnqueueReadBuffer(device->queue, bytes_of(data, at), CL_TRUE, 0, memory->bytes, out, 0, NULL, NULL),
       "reading an output");
}

static cl_int set_argument(const struct device* device, const struct data* data, cl_kernel kernel, cl_uint at,
                           const struct argument* argument) {
  cl_int status;
  cl_sampler sampler;
  switch (argument->kind) {
    case MEMORY_ARGUMENT: return clSetKernelArg(kernel, at, sizeof(cl_mem), &data->memory[argument->memory]);
    case LOCAL_ARGUMENT: return clSetKernelArg(kernel, at, argument->bytes, NULL);
    case VALUE_ARGUMENT: return clSetKernelArg(kernel, at, argument->bytes, argument->value);
    case SAMPLER_ARGUMENT: break;
  }
  sampler = clCreateSampler(device->context, argument->sampler.normalized, argument->sampler.addressing,
                            argument->sampler.filter, &status);
  if (status != CL_SUCCESS) return status;
  status = clSetKernelArg(kernel, at, sizeof sampler, &sampler);
  clReleaseSampler(sampler); /* the kernel keeps it */
  return status;
}

static int refused(const struct launch* launch, const char* what, cl_int status) {
  printf("    launching %s: %s: OpenCL answers %d\n", launch->kernel, what, (int)status);
  return 0;
}

static int enqueue(const struct device* device, struct program* program, const struct data* data,
                   const struct launch* launch, cl_event* event) {
  cl_kernel kernel = kernel_named(program, launch->kernel);
  cl_uint i;
  cl_int status;
  if (kernel == NULL) return refused(launch, "the program has no such kernel", CL_INVALID_KERNEL_NAME);
  for (i = 0; i < launch->arguments; ++i) {
    status = set_argument(device, data, kernel, i, &launch->argument[i]);
    if (status != CL_SUCCESS) return refused(launch, "setting an argument", status);
  }
  status = clEnqueueNDRangeKernel(device->queue, kernel, launch->dimensions, launch->offset, launch->global,
                                  launch->has_local ? launch->local : NULL, 0, NULL, event);
  return status == CL_SUCCESS || refused(launch, "its sizes", status);
}

struct span {
  cl_ulong start, end;
};

/* Waits for the launches so far and widens the span by them. */
static int finish(const struct device* device, cl_event* events, size_t count, struct span* span) {
  size_t i;
  int fine = clFinish(device->queue) == CL_SUCCESS;
  for (i = 0; i < count; ++i) {
    cl_ulong start = 0, end = 0;
    cl_int state = CL_COMPLETE;
    clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    fine = fine && state >= 0 &&
           clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS &&
           clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS;
    if (start < span->start) span->start = start;
    if (end > span->end) span->end = end;
    clReleaseEvent(events[i]);
  }
  if (!fine) printf("    a kernel failed while it ran\n");
  return fine;
}

double run_pass(const struct device* device, struct program* program, const struct workload* workload,
                const struct data* data) {
  enum { AT_ONCE = 4096 }; /* a sequence of very many launches must not pile up in the driver */
  static cl_event events[AT_ONCE];
  struct span span = {~(cl_ulong)0, 0};
  size_t i, waiting = 0;
  restore(device, data);
  for (i = 0; i < workload->launches; ++i) {
    if (!enqueue(device, program, data, &workload->launch[i], &events[waiting])) {
      finish(device, events, waiting, &span);
      return -1;
    }
    if (++waiting < AT_ONCE && i + 1 < workload->launches) continue;
    if (!finish(device, events, waiting, &span)) return -1;
    waiting = 0;
  }
  return workload->launches == 0 ? 0 : (double)(span.end - span.start) * 1e-6;
}
