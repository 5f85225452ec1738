/* Kernels of this language that use textures are not served: problem.txt has no image in it. */
#ifndef IMAGE_H
#define IMAGE_H

#include "fill.h"

struct pixel {
  struct element_type channel;
  size_t channels;
  double scale;
};
typedef int image_kind;
struct sampler_choice {
  int none;
};
int pixel_named(const char* order, const char* type, struct pixel* out);
int image_kind_named(const char* name, image_kind* out);
int sampler_named(const char* text, struct sampler_choice* out);

#endif
