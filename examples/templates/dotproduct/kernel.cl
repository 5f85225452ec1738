__kernel void dot_partial(__global const float *x, __global const float *y, __global float *partial,
                          __local float *scratch, const int length)
{
    if (get_local_id(0) != 0)
        return;

    const int begin = get_group_id(0) * get_local_size(0);
    const int end = min(begin + (int)get_local_size(0), length);
    int i = begin;

    float16 sum = 0.0f;
#if SUMS == 2
    float16 other = 0.0f;
    for (; i + 32 <= end; i += 32) {
        sum += vload16(0, x + i) * vload16(0, y + i);
        other += vload16(1, x + i) * vload16(1, y + i);
    }
    sum += other;
#endif
    for (; i + 16 <= end; i += 16)
        sum += vload16(0, x + i) * vload16(0, y + i);

    const float8 eight = sum.lo + sum.hi;
    const float4 four = eight.lo + eight.hi;
    float total = four.x + four.y + four.z + four.w;
    for (; i < end; i++)
        total += x[i] * y[i];
    partial[get_group_id(0)] = total;
}
