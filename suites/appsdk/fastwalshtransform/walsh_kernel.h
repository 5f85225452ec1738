#ifndef WALSH_KERNEL_H
#define WALSH_KERNEL_H

#define CL_SOURCE(...) #__VA_ARGS__

/* One pass: work-item i adds and subtracts the i-th pair of values that are `step` apart. */
static const char* const walsh_source = CL_SOURCE(

__kernel void walsh_pass(__global float* values, const int step)
{
    const int i = get_global_id(0);
    const int group = i % step;
    const int pair = 2 * step * (i / step) + group;
    const int match = pair + step;

    const float t1 = values[pair];
    const float t2 = values[match];
    values[pair] = t1 + t2;
    values[match] = t1 - t2;
}

);

#endif
