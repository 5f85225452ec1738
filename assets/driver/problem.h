/* problem.txt: what mep.toml says, with every size and value worked out. One line, one thing:
 *
 *   hone-problem 2
 *   kernel kernel.cl                              file beside problem.txt
 *   option -DBLOCK=16                             of the build; after a workload: of that one
 *   relative 0.0001                               stricter than the type's own tolerance
 *   workload tune large                           role, name; what follows belongs to it
 *   buffer A float 36864 17 uniform(-1,1)         name, element type, elements, seed, generator (or poison)
 *   image I 2d RGBA float 64 48 1 17 uniform(0,1) name, kind, channel order and type, width, height, depth, seed,
 *                                                 generator
 *   output C C float 0 4 1                        name, buffer or image, scalar type, then of the scalars compared:
 *                                                 first byte, bytes from one group to the next, scalars in a group
 *   unordered C 4                                 elements of so many bytes, compared as a set
 *   launch gemm global 192 192 local 16 4 offset 0 0 arguments buffer:A local:256 int:192 bytes:00ff sampler:nearest
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "fill.h"
#include "image.h"

struct memory {
  const char *name, *fill;
  struct element_type type;
  size_t bytes;
  uint64_t seed;
  int is_image;
  struct pixel pixel; /* of an image */
  image_kind kind;
  size_t width, height, depth;
  size_t unordered; /* bytes of an element, where the order of elements does not count; else 0 */
};

/* The scalars of an output that are compared: padding and other fields lie between the groups. */
struct view {
  const char* name;
  size_t memory; /* its place among the workload's */
  struct element_type scalar;
  size_t offset, stride, lanes;
  size_t scalars;
};

enum argument_kind { MEMORY_ARGUMENT, LOCAL_ARGUMENT, VALUE_ARGUMENT, SAMPLER_ARGUMENT };
struct argument {
  enum argument_kind kind;
  size_t memory; /* its place among the workload's */
  size_t bytes;  /* of a value or local memory */
  unsigned char* value;
  struct sampler_choice sampler;
};

struct launch {
  const char* kernel;
  unsigned dimensions, arguments;
  size_t global[3], local[3], offset[3];
  int has_local;
  struct argument* argument;
};

struct workload {
  const char *role, *name;
  char* options; /* its own, beside the problem's; null when it has none */
  struct memory* memory;
  struct view* view;
  struct launch* launch;
  size_t memories, views, launches;
};

struct problem {
  const char* folder;
  char *source, *options;
  size_t source_bytes;
  double relative; /* 0: by the type alone */
  struct workload* workload;
  size_t workloads;
};

/* Of the folder's problem.txt and the kernel it names; 0 when there is no problem.txt. */
int read_problem(const char* folder, struct problem* out);
const struct workload* find_workload(const struct problem* problem, const char* name);

/* Where scalar i of the view lies in the memory's bytes. */
size_t view_at(const struct view* view, size_t i);

#endif
