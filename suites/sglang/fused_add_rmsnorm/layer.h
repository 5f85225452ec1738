#ifndef LAYER_H
#define LAYER_H

/* What the normalisation works on: `tokens` rows of `hidden` values. LLaMA has 4096 (7B), 5120 (13B) or 8192 (70B). */
struct layer {
    int tokens, hidden;
    float epsilon;
    float *input, *residual, *weight;
};

struct layer layer_make(int tokens, int hidden);
void layer_free(struct layer *layer);

/* How many of the normalised values and of the new residuals are wrong. */
long layer_wrong(const struct layer *before, const float *input_after, const float *residual_after);

#endif
