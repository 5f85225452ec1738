/* Images and samplers by the names of mep.toml. */
#ifndef IMAGE_H
#define IMAGE_H

#include "fill.h"
#include "opencl.h"

struct pixel {
  cl_image_format format;
  struct element_type channel; /* as stored */
  size_t channels;
  double scale; /* what a normalised channel holds where a kernel reads 1; 0 when not normalised */
};
/* 0 when there is no such format. */
int pixel_named(const char* order, const char* type, struct pixel* out);

typedef cl_mem_object_type image_kind;
/* "2d", "3d", "2d_array", ...; 0 when there is no such kind. */
int image_kind_named(const char* name, image_kind* out);

struct sampler_choice {
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};
/* Words joined by '+': "nearest+clamp_to_edge". 0 when one is not known. */
int sampler_named(const char* text, struct sampler_choice* out);

#endif
