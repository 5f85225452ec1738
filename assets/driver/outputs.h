/* Are two outputs the same? Integers are equal or not; reals may differ by rounding, never by kind. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "problem.h"

/* Of the larger of the element and the output's typical size: half 1e-2, float 1e-4, double 1e-10, or less if the MEP
 * says so. */
double tolerance_of(const struct view* view, double relative);

/* A scalar of any type as a number. */
double scalar_value(const struct view* view, const unsigned char* bytes, size_t i);

/* What is known of an output without having it. */
struct summary {
  size_t unwritten, nan, infinite;
  double l1, l2, max;        /* of the finite elements that were written */
  unsigned long long digest; /* of integers, bit by bit */
};
struct summary summarise(const struct view* view, const unsigned char* bytes);

/* The size of a middling element, but not above the root mean square: a few huge elements do not excuse the rest. */
double typical_size(const struct view* view, const unsigned char* bytes);

struct difference {
  size_t count, first; /* how many scalars differ, and which one does first */
};
struct difference compare_outputs(const struct view* view, const unsigned char* wanted, const unsigned char* got,
                                  double relative);
/* Is `got` what `wanted` is, given a tolerance and the output's typical size? */
int same_real(double wanted, double got, double tolerance, double typical);

#endif
