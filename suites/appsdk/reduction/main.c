/* reduction [COUNT]: the sum of COUNT unsigned integers modulo 2^32. */
#include <stdio.h>
#include <stdlib.h>

#include "reduce.h"

static cl_uint *random_numbers(cl_uint count, cl_uint *sum)
{
    cl_uint *numbers = malloc(count * sizeof *numbers);
    cl_uint state = 2463534242u;
    *sum = 0;
    for (cl_uint i = 0; numbers && i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5; /* never zero: every number counts */
        numbers[i] = state;
        *sum += state;
    }
    return numbers;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1L << 24;
    if (count < 1 || count > 1L << 29) {
        fprintf(stderr, "usage: reduction [COUNT]\n");
        return 2;
    }
    cl_uint expected;
    cl_uint *numbers = random_numbers((cl_uint)count, &expected);
    if (!numbers)
        return 2;

    reducer *r = reducer_new(numbers, (cl_uint)count);
    double best = 0.0, ms;
    int right = reducer_sum(r, &ms) == expected;
    for (int run = 0; run < 3; run++) {
        const cl_uint sum = reducer_sum(r, &ms);
        right = right && sum == expected;
        best = run == 0 || ms < best ? ms : best;
        if (sum != expected)
            printf("sum %u instead of %u\n", sum, expected);
    }
    printf("kernel_ms %.3f\n", best);
    printf("check %s\n", right ? "OK" : "FAILED");
    reducer_free(r);
    free(numbers);
    return !right;
}
