#ifndef SIGNAL_H
#define SIGNAL_H

/* Two tones, a step and noise. */
void make_signal(float *signal, unsigned samples);

/* The coefficients in double precision; `out` has room for `length` of them, a power of two. */
void reference_transform(const float *signal, unsigned samples, double *out, unsigned length);

#endif
