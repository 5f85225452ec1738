/* One OpenCL device: programs, the data of a workload, and passes over its launches. */
#ifndef DEVICE_H
#define DEVICE_H

#include "problem.h"

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
};
/* `which` is "platform:device" as --list prints it; null takes the first one. */
void open_device(const char* which, struct device* out);
void list_devices(void);

struct program; /* built, with its kernels */
/* Null when it does not build: what the compiler says is printed. */
struct program* build_program(const struct device* device, const struct problem* problem, const char* more);

struct data {
  const struct workload* workload;
  unsigned char** initial;  /* of each buffer and image */
  cl_mem *memory, *backing; /* the buffers below images that have one, else null */
};
struct data* load_data(const struct device* device, const struct workload* workload);
void free_data(struct data* data);
void read_back(const struct device* device, const struct data* data, size_t memory, unsigned char* out);

/* From restored contents, all launches in order. Milliseconds from the first start to the last end; negative when the
 * device refuses, and why is printed. */
double run_pass(const struct device* device, struct program* program, const struct workload* workload,
                const struct data* data);

#endif
