#include "haar.h"

/*
 * A work-group decomposes two samples a work-item as far as they go, `levels` levels. The details of level l of the whole
 * signal, `length` samples long, go to coefficients[length >> l ...]; the group's last average goes to `averages`,
 * the input of the next launch. What lies beyond the signal counts as silence.
 */
__kernel void dwt_haar(__global const float *samples, __global float *coefficients, __global float *averages,
                       const unsigned int samples_given, const unsigned int length, const unsigned int levels)
{
    __local float row[GROUP];
    const unsigned int items = get_local_size(0);
    const unsigned int item = get_local_id(0);
    const unsigned int group = get_group_id(0);
    const unsigned int first = 2 * (group * items + item);

    const float a = first < samples_given ? samples[first] : 0.0f;
    const float b = first + 1 < samples_given ? samples[first + 1] : 0.0f;
    row[item] = haar_average(a, b);
    coefficients[length / 2 + group * items + item] = haar_detail(a, b);
    barrier(CLK_LOCAL_MEM_FENCE);

    unsigned int active = items / 2;
    for (unsigned int level = 2; level <= levels; level++) {
        float left = 0.0f, right = 0.0f;
        if (item < active) {
            left = row[2 * item];
            right = row[2 * item + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) {
            row[item] = haar_average(left, right);
            coefficients[(length >> level) + group * active + item] = haar_detail(left, right);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        active /= 2;
    }

    if (item == 0)
        averages[group] = row[0];
}
