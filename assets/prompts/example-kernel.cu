extern "C" __global__ void scale(const float *x, float *y, float f, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    for (int c = 0; c < CHUNK; ++c)
        if (first + c < n)
            y[first + c] = f * x[first + c];
}
