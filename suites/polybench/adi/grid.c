#include "grid.h"

#include <math.h>
#include <stdlib.h>

void grid_fill(float *a, float *b, float *x, int n)
{
    unsigned random = 17;
    for (int i = 0; i < n * n; i++) {
        random = random * 1664525u + 1013904223u;
        a[i] = 0.8f * ((float)(random >> 8) / 16777216.0f) - 0.4f;
        random = random * 1664525u + 1013904223u;
        b[i] = 1.5f + ((float)(random >> 8) / 16777216.0f);
        random = random * 1664525u + 1013904223u;
        x[i] = 2.0f * ((float)(random >> 8) / 16777216.0f) - 1.0f + sinf(0.01f * (i % n));
    }
}

/* Along one line, whose elements are `stride` apart. */
static void sweep(const float *a, double *b, double *x, int n, long stride)
{
    for (long k = 1; k < n; k++) {
        x[k * stride] -= x[(k - 1) * stride] * a[k * stride] / b[(k - 1) * stride];
        b[k * stride] -= (double)a[k * stride] * a[k * stride] / b[(k - 1) * stride];
    }
    x[(n - 1) * stride] /= b[(n - 1) * stride];
    for (long k = n - 2; k > 0; k--)
        x[k * stride] = (x[k * stride] - x[(k - 1) * stride] * a[(k - 1) * stride]) / b[(k - 1) * stride];
}

long grid_wrong(const float *a, const float *b, const float *x, const float *b_out, const float *x_out, int n, int steps)
{
    const long cells = (long)n * n;
    double *eb = malloc(cells * sizeof(double)), *ex = malloc(cells * sizeof(double));
    long wrong = eb && ex ? 0 : 1;
    for (long i = 0; !wrong && i < cells; i++) {
        eb[i] = b[i];
        ex[i] = x[i];
    }
    for (int t = 0; !wrong && t < steps; t++) {
        for (long i = 0; i < n; i++)
            sweep(a + i * n, eb + i * n, ex + i * n, n, 1);
        for (long j = 0; j < n; j++)
            sweep(a + j, eb + j, ex + j, n, n);
    }
    for (long i = 0; eb && ex && i < cells; i++) {
        wrong += !(fabs(eb[i] - b_out[i]) <= 1e-5 * (0.2 + fabs(eb[i])));
        wrong += !(fabs(ex[i] - x_out[i]) <= 1e-5 * (0.2 + fabs(ex[i])));
    }
    free(eb);
    free(ex);
    return wrong;
}
