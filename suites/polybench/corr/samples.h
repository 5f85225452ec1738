#ifndef SAMPLES_H
#define SAMPLES_H

/* n samples of m variables that share two hidden influences: correlations of every size and both signs. */
void make_samples(float *data, int n, int m);

/* How many elements of corr differ from the correlations of data in double precision. */
long wrong_correlations(const float *data, const float *corr, int n, int m);

#endif
