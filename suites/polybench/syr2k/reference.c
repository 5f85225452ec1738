#include <math.h>

#include "reference.h"

int wrong_row(const float *a, const float *b, const float *c, const float *out, float alpha, float beta, int n, int m, int i)
{
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        double e = (double)beta * c[i * n + j], size = fabs(e);
        for (int k = 0; k < m; k++) {
            e += (double)alpha * ((double)a[i * m + k] * b[j * m + k] + (double)b[i * m + k] * a[j * m + k]);
            size += fabs((double)a[i * m + k] * b[j * m + k]) + fabs((double)b[i * m + k] * a[j * m + k]);
        }
        if (!(fabs(e - out[i * n + j]) <= 1e-5 * size))
            wrong++;
    }
    return wrong;
}
