#ifndef KERNELS_H
#define KERNELS_H

/* The device program, in the pieces that clCreateProgramWithSource puts together. */
enum { reduce_pieces = 3 };
extern const char *reduce_source[reduce_pieces];

#endif
