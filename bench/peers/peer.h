/* What every peer shares. A peer does a program's work in plain C on all cores: peer NAME SIZES... prints "kernel_ms <ms>", the best of
 * three passes over data that were written before, and "checksum <sum>", which peers_test holds against a double-precision loop. */
#ifndef PEER_H
#define PEER_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES = 3, MOST_SIZES = 6 };

struct peer {
    const char *name;
    /* Milliseconds of the best pass; `sum` gets a sum over the results. */
    double (*run)(const int *size, double *sum);
    int sizes[MOST_SIZES]; /* where none are given: the program's own default */
};

static inline double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Between -1 and 1, the same each time. */
static inline float *numbers(size_t count, unsigned seed)
{
    float *out = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
    if (!out)
        exit(2);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    return out;
}

static inline double total(const float *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* RESET is not timed. */
#define BEST_PASS(RESET, ...)                        \
    double best = INFINITY;                          \
    for (int pass = 0; pass < PASSES; pass++) {      \
        RESET;                                       \
        const double start = now_ms();               \
        __VA_ARGS__;                                 \
        best = fmin(best, now_ms() - start);         \
    }

static inline int peer_main(const struct peer *peers, int argc, char **argv)
{
    for (const struct peer *p = peers; argc > 1 && p->name; p++) {
        if (strcmp(p->name, argv[1]) != 0)
            continue;
        int size[MOST_SIZES];
        for (int i = 0; i < MOST_SIZES; i++)
            size[i] = i + 2 < argc ? atoi(argv[i + 2]) : p->sizes[i];
        double sum = 0.0;
        const double ms = p->run(size, &sum);
        printf("kernel_ms %.4f\nchecksum %.9g\n", ms, sum);
        return 0;
    }
    fprintf(stderr, "usage: %s NAME [SIZES...], NAME one of", argv[0]);
    for (const struct peer *p = peers; p->name; p++)
        fprintf(stderr, " %s", p->name);
    fprintf(stderr, "\n");
    return 2;
}

#endif
