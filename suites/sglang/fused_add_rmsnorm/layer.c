#include "layer.h"

#include <math.h>
#include <stdlib.h>

static float uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (float)(*state >> 40) / 8388608.0f - 1.0f;
}

struct layer layer_make(int tokens, int hidden)
{
    struct layer layer = {tokens, hidden, 1e-5f, NULL, NULL, NULL};
    const size_t count = (size_t)tokens * hidden;
    unsigned long long state = 42;
    layer.input = malloc(count * sizeof(float));
    layer.residual = malloc(count * sizeof(float));
    layer.weight = malloc(hidden * sizeof(float));
    if (!layer.input || !layer.residual || !layer.weight)
        exit(2);
    for (size_t i = 0; i < count; i++) {
        /* rows differ in size, so that one row's scale is wrong for the next */
        const float size = 0.25f + (float)(i / hidden % 7);
        layer.input[i] = size * uniform(&state);
        layer.residual[i] = size * uniform(&state);
    }
    for (int i = 0; i < hidden; i++)
        layer.weight[i] = 1.0f + 0.5f * uniform(&state);
    return layer;
}

void layer_free(struct layer *layer)
{
    free(layer->input);
    free(layer->residual);
    free(layer->weight);
}

long layer_wrong(const struct layer *before, const float *input_after, const float *residual_after)
{
    long wrong = 0;
    for (int t = 0; t < before->tokens; t++) {
        const size_t row = (size_t)t * before->hidden;
        double squares = 0.0;
        for (int i = 0; i < before->hidden; i++) {
            const double x = (double)before->input[row + i] + before->residual[row + i];
            squares += x * x;
            wrong += !(fabs(residual_after[row + i] - x) <= 1e-7 * fabs(x) + 1e-30);
        }
        const double scale = 1.0 / sqrt(squares / before->hidden + before->epsilon);
        for (int i = 0; i < before->hidden; i++) {
            const double x = (double)before->input[row + i] + before->residual[row + i];
            const double expected = x * scale * before->weight[i];
            wrong += !(fabs(input_after[row + i] - expected) <= 4e-6 * fabs(expected) + 1e-7);
        }
    }
    return wrong;
}
