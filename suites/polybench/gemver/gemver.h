#ifndef GEMVER_H
#define GEMVER_H

struct problem {
    int n;
    float alpha, beta;
    float *a, *u1, *v1, *u2, *v2, *x, *y, *z, *w;
};

extern const char *gemver_source;

struct problem problem_make(int n);
void problem_free(struct problem *p);

/* How many elements of a, x and w, as the kernels left them, differ from the double-precision result for p. */
long problem_wrong(const struct problem *p, const float *a, const float *x, const float *w);

#endif
