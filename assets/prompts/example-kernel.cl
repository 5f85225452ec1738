__kernel void scale(__global const float *x, __global float *y, float f, int n)
{
    const int first = get_global_id(0) * CHUNK;
    for (int c = 0; c < CHUNK; ++c)
        if (first + c < n)
            y[first + c] = f * x[first + c];
}
