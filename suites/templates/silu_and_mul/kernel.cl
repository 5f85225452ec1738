#if VX == 4
typedef float4 row_vector;
#elif VX == 8
typedef float8 row_vector;
#else
typedef float16 row_vector;
#endif

inline float silu(const float x)
{
    return x / (1.0f + exp(-x));
}

inline row_vector silu_of(const row_vector x)
{
    return x / (1.0f + exp(-x));
}

__kernel void silu_and_mul(__global float *out, __global const float *input, const int d)
{
    const int item = get_local_id(0);
    if (item >= ITEMS)
        return;
    const size_t token = get_group_id(0);
    __global const float *gate = input + token * 2 * d;
    __global const float *value = gate + d;
    __global float *result = out + token * d;
    const int whole = d / (VX * UNROLL) * (VX * UNROLL);

    for (int i = item * VX * UNROLL; i < whole; i += ITEMS * VX * UNROLL)
        for (int u = 0; u < UNROLL; u++) {
            const int at = i + u * VX;
#if VX == 4
            vstore4(silu_of(vload4(0, gate + at)) * vload4(0, value + at), 0, result + at);
#elif VX == 8
            vstore8(silu_of(vload8(0, gate + at)) * vload8(0, value + at), 0, result + at);
#else
            vstore16(silu_of(vload16(0, gate + at)) * vload16(0, value + at), 0, result + at);
#endif
        }
    for (int i = whole + item; i < d; i += ITEMS)
        result[i] = silu(gate[i]) * value[i];
}
