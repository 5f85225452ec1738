#include "signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void make_signal(float *signal, unsigned samples)
{
    unsigned state = 99;
    for (unsigned i = 0; i < samples; i++) {
        state = state * 1103515245u + 12345u;
        const double noise = (double)(state >> 8) / (1 << 24) - 0.5;
        const double step = i > samples / 3 ? 0.75 : -0.25;
        signal[i] = (float)(sin(i * 0.013) + 0.5 * cos(i * 0.7) + step + noise);
    }
}

void reference_transform(const float *signal, unsigned samples, double *out, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        out[i] = i < samples ? signal[i] : 0.0;
    /* out[0 .. n) holds averages; details of a pass are kept aside so that they do not overwrite what is still to be read */
    double *details = malloc(length / 2 * sizeof *details);
    if (!details)
        exit(2);
    for (unsigned n = length; n > 1; n /= 2) {
        for (unsigned i = 0; i < n / 2; i++) {
            const double a = out[2 * i], b = out[2 * i + 1];
            out[i] = (a + b) / sqrt(2.0);
            details[i] = (a - b) / sqrt(2.0);
        }
        memcpy(out + n / 2, details, n / 2 * sizeof(double));
    }
    free(details);
}
