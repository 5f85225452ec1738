#include "samples.h"

#include <math.h>
#include <stdlib.h>

static unsigned long long state = 88172645463325252ULL;

static float noise(void) /* from -1 to 1 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (float)(state >> 40) / 8388608.0f - 1.0f;
}

void make_samples(float *data, int n, int m)
{
    for (int i = 0; i < n; i++) {
        float first = noise(), second = noise();
        for (int j = 0; j < m; j++)
            data[i * m + j] = 0.01f * (j % 40) + (1.0f + j % 3) * (0.6f * noise() + cosf(0.7f * j) * first + sinf(1.9f * j) * second);
    }
}

long wrong_correlations(const float *data, const float *corr, int n, int m)
{
    double *z = malloc((size_t)n * m * sizeof(double)); /* standardised, a variable a row */
    long wrong = 0;
    if (!z)
        return 1;
    for (int j = 0; j < m; j++) {
        double mean = 0, square = 0;
        for (int i = 0; i < n; i++)
            mean += data[i * m + j];
        mean /= n;
        for (int i = 0; i < n; i++)
            square += (data[i * m + j] - mean) * (data[i * m + j] - mean);
        for (int i = 0; i < n; i++)
            z[(size_t)j * n + i] = (data[i * m + j] - mean) / sqrt(square);
    }
    for (int j1 = 0; j1 < m; j1++)
        for (int j2 = 0; j2 < m; j2++) {
            double e = 0;
            for (int i = 0; i < n; i++)
                e += z[(size_t)j1 * n + i] * z[(size_t)j2 * n + i];
            wrong += !(fabs(e - corr[j1 * m + j2]) <= 1e-5);
        }
    free(z);
    return wrong;
}
