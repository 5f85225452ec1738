#include "fields.h"

#include <math.h>
#include <stdlib.h>

static float *filled(size_t count, unsigned state, float amplitude)
{
    float *values = malloc(count * sizeof(float));
    for (size_t i = 0; values && i < count; i++) {
        state = state * 22695477u + 1u;
        values[i] = amplitude * ((float)(state >> 16) / 32768.0f - 1.0f);
    }
    return values;
}

struct fields fields_make(const struct options *size)
{
    size_t cells = (size_t)size->nx * size->ny;
    struct fields f = {filled(cells, 1, 1.0f), filled(cells, 2, 1.0f), filled(cells, 3, 0.5f), malloc(size->steps * sizeof(float))};
    for (int t = 0; t < size->steps; t++)
        f.source[t] = sinf(0.4f * t + 0.3f);
    return f;
}

void fields_free(struct fields *f)
{
    free(f->ex);
    free(f->ey);
    free(f->hz);
    free(f->source);
}

static double *widened(const float *values, size_t count)
{
    double *wide = malloc(count * sizeof(double));
    for (size_t i = 0; wide && i < count; i++)
        wide[i] = values[i];
    return wide;
}

static long differing(const double *expected, const float *found, size_t count)
{
    long wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !(fabs(expected[i] - found[i]) <= 1e-4);
    return wrong;
}

long fields_wrong(const struct fields *start, const struct fields *end, const struct options *size)
{
    const size_t nx = size->nx, ny = size->ny, cells = nx * ny;
    double *ex = widened(start->ex, cells), *ey = widened(start->ey, cells), *hz = widened(start->hz, cells);
    for (int t = 0; t < size->steps; t++) {
        for (size_t j = 0; j < ny; j++)
            ey[j] = start->source[t];
        for (size_t c = ny; c < cells; c++)
            ey[c] -= 0.5 * (hz[c] - hz[c - ny]);
        for (size_t i = 0; i < nx; i++)
            for (size_t j = 1; j < ny; j++)
                ex[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
        for (size_t i = 0; i + 1 < nx; i++)
            for (size_t j = 0; j + 1 < ny; j++)
                hz[i * ny + j] -= 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
    }
    long wrong = differing(ex, end->ex, cells) + differing(ey, end->ey, cells) + differing(hz, end->hz, cells);
    free(ex);
    free(ey);
    free(hz);
    return wrong;
}
