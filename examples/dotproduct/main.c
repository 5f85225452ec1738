/* The dot product of two long vectors on the first OpenCL device, and how long the kernel took. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dot.h"

static float *random_vector(int length, unsigned seed)
{
    float *values = malloc(sizeof(float) * length);
    unsigned state = seed * 2654435761u + 1u;
    for (int i = 0; values && i < length; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / 16777216.0f;
    }
    return values;
}

static int agrees(const float *x, const float *y, int length, double value)
{
    double expected = 0.0;
    for (int i = 0; i < length; i++)
        expected += (double)x[i] * y[i];
    if (fabs(value - expected) <= 1e-5 * expected)
        return 1;
    printf("check: %.9g instead of %.9g\n", value, expected);
    return 0;
}

int main(int argc, char **argv)
{
    int length = 4 << 20, repeat = 30, check = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0)
            check = 1;
        else if (i + 1 < argc && strcmp(argv[i], "--length") == 0)
            length = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--repeat") == 0)
            repeat = atoi(argv[++i]);
        else
            length = 0;
    }
    if (length <= 0 || repeat <= 0) {
        fprintf(stderr, "usage: %s [--length N] [--repeat N] [--check]\n", argv[0]);
        return 2;
    }

    float *x = random_vector(length, 1), *y = random_vector(length, 2);
    if (!x || !y) {
        fprintf(stderr, "dotproduct: out of memory for %d elements\n", length);
        return 1;
    }
    const struct dot_result result = dot(x, y, length, repeat);
    printf("dot: %.9g\n", result.value);
    printf("kernel: %.3f ms\n", result.milliseconds);

    int ok = 1;
    if (check) {
        ok = agrees(x, y, length, result.value);
        if (ok)
            printf("check: ok\n");
    }
    free(x);
    free(y);
    return ok ? 0 : 1;
}
