#include "reference.h"

#include <math.h>

void fill(float *values, int count, unsigned seed)
{
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
}

int wrong_elements(const float *a, const float *c, const float *out, float alpha, float beta, int n, int m)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double e = (double)beta * c[i * n + j];
            for (int k = 0; k < m; k++)
                e += (double)alpha * a[i * m + k] * a[j * m + k];
            wrong += !(fabs(e - out[i * n + j]) <= 1e-5 * (m + fabs(e)));
        }
    return wrong;
}
