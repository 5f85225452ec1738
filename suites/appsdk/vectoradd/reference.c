#include "reference.h"

#include <math.h>
#include <stddef.h>

void fill_frames(float *values, unsigned length, unsigned frames)
{
    unsigned state = 12345u;
    for (size_t i = 0; i < (size_t)length * frames; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
}

unsigned count_wrong(const float *sums, const float *values, unsigned length, unsigned frames)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < length; i++) {
        double exact = 0.0;
        for (size_t f = 0; f < frames; f++)
            exact += values[f * length + i];
        /* each addition rounds once; partial sums stay below the number of frames */
        wrong += !(fabs(sums[i] - exact) <= 6e-8 * frames * frames);
    }
    return wrong;
}
