/* How many elements of q (ni x nj) and of the upper half of r (nj x nj) differ from the factors of a in double precision. */
long wrong_factors(const float *a, const float *q, const float *r, int ni, int nj);
