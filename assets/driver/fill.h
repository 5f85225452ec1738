/* Contents of buffers and images from a generator's name and a seed. A value depends only on (generator, type, seed,
 * index), so that every machine fills alike; the generators are those that mep.toml names. */
#ifndef FILL_H
#define FILL_H

#include <stddef.h>
#include <stdint.h>

enum scalar_kind { SIGNED_SCALAR, UNSIGNED_SCALAR, REAL_SCALAR };

struct element_type {
  enum scalar_kind kind;
  size_t scalar_bytes, lanes;
};

/* By its OpenCL C name: "float", "uint4". 0 when there is no such type. */
int element_type_named(const char* name, struct element_type* out);
/* Three lanes take the space of four. */
size_t element_bytes(const struct element_type* type);

/* Fills `bytes` bytes at `out`. 0 when the generator is not known or lacks its arguments. */
int fill_elements(const char* generator, const struct element_type* type, uint64_t seed, uint8_t* out, size_t bytes);
/* The same for normalised channels of an image, which hold `scale` where a kernel reads 1. */
int fill_normalised(const char* generator, const struct element_type* channel, double scale, uint64_t seed,
                    uint8_t* out, size_t bytes);

/* What buffers hold that a kernel has yet to write: no kernel computes it by accident. */
enum { POISON = 0x7B };

uint16_t half_from(double value);
double half_to(uint16_t bits);

#endif
