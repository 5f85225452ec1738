#include "factors.h"

#include <math.h>
#include <stdlib.h>

static int differs(double expected, double found) { return !(fabs(expected - found) <= 2e-5 * (1 + fabs(expected))); }

long wrong_factors(const float *a, const float *q, const float *r, int ni, int nj)
{
    double *rest = malloc(sizeof(double) * ni * nj), *row = malloc(sizeof(double) * nj);
    long wrong = rest && row ? 0 : 1;
    for (int i = 0; !wrong && i < ni * nj; i++)
        rest[i] = a[i];
    for (int k = 0; rest && row && k < nj; k++) {
        double square = 0;
        for (int i = 0; i < ni; i++)
            square += rest[i * nj + k] * rest[i * nj + k];
        for (int j = k; j < nj; j++)
            row[j] = 0;
        for (int i = 0; i < ni; i++) {
            rest[i * nj + k] /= sqrt(square);
            wrong += differs(rest[i * nj + k], q[i * nj + k]);
            for (int j = k + 1; j < nj; j++)
                row[j] += rest[i * nj + k] * rest[i * nj + j];
        }
        wrong += differs(sqrt(square), r[k * nj + k]);
        for (int j = k + 1; j < nj; j++)
            wrong += differs(row[j], r[k * nj + j]);
        for (int i = 0; i < ni; i++)
            for (int j = k + 1; j < nj; j++)
                rest[i * nj + j] -= rest[i * nj + k] * row[j];
    }
    free(rest);
    free(row);
    return wrong;
}
