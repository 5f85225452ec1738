/* fused_add_rmsnorm [TOKENS [HIDDEN]]: residual addition and root-mean-square normalisation of a transformer layer. */
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "layer.h"

#define BLOCK 256

int main(int argc, char **argv)
{
    const int tokens = argc > 1 ? atoi(argv[1]) : 4096;
    const int hidden = argc > 2 ? atoi(argv[2]) : 4096;
    if (tokens < 1 || hidden < 1) {
        fprintf(stderr, "usage: %s [TOKENS [HIDDEN]]\n", argv[0]);
        return 2;
    }
    const size_t count = (size_t)tokens * hidden;
    struct layer layer = layer_make(tokens, hidden);

    char options[32];
    snprintf(options, sizeof options, "-DBLOCK=%d", BLOCK);
    struct device device;
    device_open(&device, "rmsnorm.cl", options);
    cl_mem input = device_floats(&device, count);
    cl_mem residual = device_floats(&device, count);
    cl_mem weight = device_floats(&device, hidden);
    device_put(&device, weight, layer.weight, hidden);

    double best = 0.0;
    for (int run = 0; run < 4; run++) {
        /* both are updated in place: each run starts from the same values */
        device_put(&device, input, layer.input, count);
        device_put(&device, residual, layer.residual, count);
        const double ms = device_run(&device, "fused_add_rmsnorm", tokens, BLOCK, "bbbif", input, residual, weight, hidden,
                                     layer.epsilon);
        if (run == 1 || (run > 1 && ms < best))
            best = ms;
    }

    float *input_after = calloc(count, sizeof(float)), *residual_after = calloc(count, sizeof(float));
    if (!input_after || !residual_after)
        return 2;
    device_get(&device, input, input_after, count);
    device_get(&device, residual, residual_after, count);
    const long wrong = layer_wrong(&layer, input_after, residual_after);
    printf("kernel_ms %.3f\n", best);
    printf("%ld of %zu values wrong\n", wrong, 2 * count);
    printf("check %s\n", wrong ? "FAILED" : "OK");

    free(input_after);
    free(residual_after);
    clReleaseMemObject(input);
    clReleaseMemObject(residual);
    clReleaseMemObject(weight);
    device_close(&device);
    layer_free(&layer);
    return wrong ? 1 : 0;
}
