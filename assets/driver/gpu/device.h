/* One GPU: programs, the data of a workload, and passes over its launches. */
#ifndef DEVICE_H
#define DEVICE_H

#include "problem.h"

struct program; /* a source that the GPU's compiler made a library of */

struct device {
  const char* driver;  /* the folder of this file */
  struct program* api; /* with no kernel in it: for memory */
  int number;
};
/* `which` is a number as --list prints it; null takes the first one. */
void open_device(const char* which, struct device* out);
void list_devices(void);

/* Null when it does not build: what the compiler says is printed. */
struct program* build_program(const struct device* device, const struct problem* problem, const char* more);

struct data {
  const struct workload* workload;
  unsigned char** initial; /* of each buffer */
  void** memory;
  const struct program* api; /* which the memory is from */
};
struct data* load_data(const struct device* device, const struct workload* workload);
void free_data(struct data* data);
void read_back(const struct device* device, const struct data* data, size_t memory, unsigned char* out);

/* From restored contents, all launches in order. Milliseconds from the first start to the last end; negative when the
 * device refuses, and why is printed. */
double run_pass(const struct device* device, struct program* program, const struct workload* workload,
                const struct data* data);

#endif
