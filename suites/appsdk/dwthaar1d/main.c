/* dwthaar1d [SAMPLES]: the complete Haar wavelet transform of a signal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ocl.h"
#include "signal.h"
#include "transform.h"

/* Coefficients 2^k ... 2^(k+1) - 1 split the signal into 2^k parts; coefficient 0 is the average of all of it. */
static double covered_by(unsigned coefficient, unsigned length)
{
    unsigned parts = 1;
    while (2 * parts <= coefficient)
        parts *= 2;
    return (double)length / parts;
}

static int check(struct transform *t, const float *signal, unsigned samples)
{
    float *got = malloc(t->length * sizeof *got);
    double *expected = malloc(t->length * sizeof *expected);
    unsigned wrong = 0;
    double worst = 0.0;
    if (!got || !expected)
        exit(2);
    transform_result(t, got);
    reference_transform(signal, samples, expected, t->length);
    for (unsigned i = 0; i < t->length; i++) {
        /* a coefficient that covers n samples is the difference of two sums that grow with the square root of n */
        const double size = sqrt(covered_by(i, t->length));
        const double error = fabs(got[i] - expected[i]) / size;
        wrong += !(error <= 2e-6);
        worst = fmax(worst, error);
    }
    printf("largest error %.2e, %u of %u coefficients wrong\n", worst, wrong, t->length);
    free(expected);
    free(got);
    return wrong == 0;
}

int main(int argc, char **argv)
{
    const long wanted = argc > 1 ? atol(argv[1]) : 1l << 23;
    if (argc > 2 || wanted < 2 || wanted > 1l << 26) {
        fprintf(stderr, "usage: %s [SAMPLES]\n", argv[0]);
        return 2;
    }
    const unsigned samples = (unsigned)wanted;
    float *signal = malloc(samples * sizeof *signal);
    if (!signal)
        return 2;
    make_signal(signal, samples);

    struct ocl ocl;
    struct transform transform;
    ocl_open(&ocl);
    transform_open(&transform, &ocl, signal, samples);
    transform_run(&transform);
    double best = INFINITY;
    for (int run = 0; run < 3; run++)
        best = fmin(best, transform_run(&transform));
    printf("kernel_ms %.3f\n", best);
    const int right = check(&transform, signal, samples);
    printf("check %s\n", right ? "OK" : "FAILED");

    transform_close(&transform);
    ocl_close(&ocl);
    free(signal);
    return right ? 0 : 1;
}
