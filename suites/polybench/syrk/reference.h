#ifndef REFERENCE_H
#define REFERENCE_H

void fill(float *values, int count, unsigned seed); /* from -1 to 1 */
int wrong_elements(const float *a, const float *c, const float *out, float alpha, float beta, int n, int m);

#endif
