#if VX == 4
typedef float4 row_vector;
#elif VX == 8
typedef float8 row_vector;
#else
typedef float16 row_vector;
#endif

inline row_vector row_load(__global const float *from)
{
#if VX == 4
    return vload4(0, from);
#elif VX == 8
    return vload8(0, from);
#else
    return vload16(0, from);
#endif
}

inline void row_store(const row_vector x, __global float *to)
{
#if VX == 4
    vstore4(x, 0, to);
#elif VX == 8
    vstore8(x, 0, to);
#else
    vstore16(x, 0, to);
#endif
}

inline float row_sum(const row_vector x)
{
#if VX == 4
    const float4 four = x;
#elif VX == 8
    const float4 four = x.lo + x.hi;
#else
    const float8 eight = x.lo + x.hi;
    const float4 four = eight.lo + eight.hi;
#endif
    const float2 two = four.lo + four.hi;
    return two.x + two.y;
}

__kernel void fused_add_rmsnorm(__global float *input, __global float *residual, __global const float *weight,
                                const int hidden, const float epsilon)
{
    if (get_local_id(0) != 0)
        return;
    const size_t row = (size_t)get_group_id(0) * hidden;
    const int whole = hidden / (VX * SUMS) * (VX * SUMS);

    row_vector sums[SUMS];
    for (int s = 0; s < SUMS; s++)
        sums[s] = (row_vector)(0.0f);
    for (int i = 0; i < whole; i += VX * SUMS)
        for (int s = 0; s < SUMS; s++) {
            const size_t at = row + i + s * VX;
            const row_vector x = row_load(input + at) + row_load(residual + at);
            row_store(x, residual + at);
            sums[s] += x * x;
        }
    for (int s = 1; s < SUMS; s++)
        sums[0] += sums[s];
    float squares = row_sum(sums[0]);
    for (int i = whole; i < hidden; i++) {
        const float x = input[row + i] + residual[row + i];
        residual[row + i] = x;
        squares += x * x;
    }

    const float scale = rsqrt(squares / hidden + epsilon);
    for (int i = 0; i < whole; i += VX)
        row_store(row_load(residual + row + i) * scale * row_load(weight + i), input + row + i);
    for (int i = whole; i < hidden; i++)
        input[row + i] = residual[row + i] * scale * weight[i];
}
