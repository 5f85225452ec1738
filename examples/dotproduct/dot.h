#ifndef DOT_H
#define DOT_H

struct dot_result {
    double value;
    double milliseconds; /* median time of the kernel */
};

/* x . y on the first OpenCL device, `repeat` times back to back after one warm-up. */
struct dot_result dot(const float *x, const float *y, int length, int repeat);

#endif
