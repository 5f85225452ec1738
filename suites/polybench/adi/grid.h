#ifndef GRID_H
#define GRID_H

/* Coefficients a within +-0.4, diagonal b from 1.5 to 2.5, so that every sweep divides by something well away from zero. */
void grid_fill(float *a, float *b, float *x, int n);

/* The same sweeps in double precision; how many elements of b and x differ. The inputs are not changed. */
long grid_wrong(const float *a, const float *b, const float *x, const float *b_out, const float *x_out, int n, int steps);

#endif
