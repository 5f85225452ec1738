#include "gemver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float *vector(size_t count, unsigned seed)
{
    float *values = malloc(count * sizeof *values);
    if (!values) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    unsigned s = seed;
    for (size_t i = 0; i < count; i++) {
        s = s * 747796405u + 2891336453u;
        unsigned word = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
        values[i] = (float)(int)((word >> 22) ^ word) / 2147483648.0f;
    }
    return values;
}

struct problem problem_make(int n)
{
    struct problem p = {.n = n, .alpha = 1.25f, .beta = 0.75f};
    p.a = vector((size_t)n * n, 1);
    p.u1 = vector(n, 2);
    p.v1 = vector(n, 3);
    p.u2 = vector(n, 4);
    p.v2 = vector(n, 5);
    p.x = vector(n, 6);
    p.y = vector(n, 7);
    p.z = vector(n, 8);
    p.w = vector(n, 9);
    for (int i = 0; i < n; i++)
        p.w[i] = NAN;
    return p;
}

void problem_free(struct problem *p)
{
    float *all[] = {p->a, p->u1, p->v1, p->u2, p->v2, p->x, p->y, p->z, p->w};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static int differs(double expected, double found, double scale) { return !(fabs(expected - found) <= 1e-5 * (scale + fabs(expected))); }

long problem_wrong(const struct problem *p, const float *a, const float *x, const float *w)
{
    const int n = p->n;
    const double root = sqrt(n);
    long wrong = 0;
    double *ex = malloc(n * sizeof *ex);
    for (int i = 0; i < n; i++)
        ex[i] = (double)p->x[i] + p->z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double e = p->a[(size_t)i * n + j] + (double)p->u1[i] * p->v1[j] + (double)p->u2[i] * p->v2[j];
            wrong += differs(e, a[(size_t)i * n + j], 1);
            ex[j] += p->beta * e * p->y[i];
        }
    for (int i = 0; i < n; i++) {
        double e = 0;
        for (int j = 0; j < n; j++)
            e += p->alpha * (p->a[(size_t)i * n + j] + (double)p->u1[i] * p->v1[j] + (double)p->u2[i] * p->v2[j]) * ex[j];
        wrong += differs(ex[i], x[i], root);
        wrong += differs(e, w[i], n);
    }
    free(ex);
    return wrong;
}
