#include "image.h"

#include <string.h>

int pixel_named(const char* order, const char* type, struct pixel* out) {
  static const struct {
    const char* name;
    size_t channels;
    cl_channel_order order;
  } orders[] = {{"R", 1, CL_R},
                {"A", 1, CL_A},
                {"RG", 2, CL_RG},
                {"RA", 2, CL_RA},
                {"RGBA", 4, CL_RGBA},
                {"BGRA", 4, CL_BGRA},
                {"ARGB", 4, CL_ARGB},
                {"INTENSITY", 1, CL_INTENSITY},
                {"LUMINANCE", 1, CL_LUMINANCE}};
  static const struct {
    const char *name, *scalar;
    double scale;
    cl_channel_type type;
  } types[] = {{"float", "float", 0, CL_FLOAT},
               {"half_float", "half", 0, CL_HALF_FLOAT},
               {"half", "half", 0, CL_HALF_FLOAT},
               {"unorm_int8", "uchar", 255, CL_UNORM_INT8},
               {"unorm_int16", "ushort", 65535, CL_UNORM_INT16},
               {"snorm_int8", "char", 127, CL_SNORM_INT8},
               {"snorm_int16", "short", 32767, CL_SNORM_INT16},
               {"signed_int8", "char", 0, CL_SIGNED_INT8},
               {"signed_int16", "short", 0, CL_SIGNED_INT16},
               {"signed_int32", "int", 0, CL_SIGNED_INT32},
               {"unsigned_int8", "uchar", 0, CL_UNSIGNED_INT8},
               {"unsigned_int16", "ushort", 0, CL_UNSIGNED_INT16},
               {"unsigned_int32", "uint", 0, CL_UNSIGNED_INT32}};
  size_t i;
  int found = 0;
  for (i = 0; i < sizeof orders / sizeof *orders; ++i)
    if (strcmp(orders[i].name, order) == 0) {
      out->channels = orders[i].channels;
      out->format.image_channel_order = orders[i].order;
      ++found;
    }
  for (i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(types[i].name, type) == 0) {
      out->format.image_channel_data_type = types[i].type;
      out->scale = types[i].scale;
      found += element_type_named(types[i].scalar, &out->channel);
    }
  return found == 2;
}

int image_kind_named(const char* name, image_kind* out) {
  static const struct {
    const char* name;
    cl_mem_object_type kind;
  } kinds[] = {{"1d", CL_MEM_OBJECT_IMAGE1D},
               {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER},
               {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
               {"2d", CL_MEM_OBJECT_IMAGE2D},
               {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
               {"3d", CL_MEM_OBJECT_IMAGE3D}};
  size_t i;
  for (i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(kinds[i].name, name) == 0) {
      *out = kinds[i].kind;
      return 1;
    }
  return 0;
}

static int apply_word(const char* word, size_t length, struct sampler_choice* out) {
  static const struct {
    const char* name;
    cl_addressing_mode mode;
  } modes[] = {{"none", CL_ADDRESS_NONE},
               {"clamp_to_edge", CL_ADDRESS_CLAMP_TO_EDGE},
               {"clamp", CL_ADDRESS_CLAMP},
               {"repeat", CL_ADDRESS_REPEAT},
               {"mirrored_repeat", CL_ADDRESS_MIRRORED_REPEAT}};
  size_t i;
#define IS(text) (length == strlen(text) && memcmp(word, text, length) == 0)
  for (i = 0; i < sizeof modes / sizeof *modes; ++i)
    if (IS(modes[i].name)) {
      out->addressing = modes[i].mode;
      return 1;
    }
  if (IS("nearest") || IS("linear")) {
    out->filter = IS("nearest") ? CL_FILTER_NEAREST : CL_FILTER_LINEAR;
    return 1;
  }
  if (IS("normalized")) out->normalized = CL_TRUE;
  return length == 0 || IS("normalized") || IS("unnormalized");
#undef IS
}

int sampler_named(const char* text, struct sampler_choice* out) {
  out->normalized = CL_FALSE;
  out->addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  out->filter = CL_FILTER_NEAREST;
  for (;;) {
    const size_t length = strcspn(text, "+");
    if (!apply_word(text, length, out)) return 0;
    if (text[length] == '\0') return 1;
    text += length + 1;
  }
}
