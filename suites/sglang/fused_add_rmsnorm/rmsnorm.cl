// residual += input, then input = residual / rms(residual) * weight, both in place: a work-group for each token.
__kernel void fused_add_rmsnorm(__global float *input, __global float *residual, __global const float *weight,
                                const int hidden, const float epsilon)
{
    __local float partial[BLOCK];
    const int item = get_local_id(0);
    const size_t row = (size_t)get_group_id(0) * hidden;

    float squares = 0.0f;
    for (int i = item; i < hidden; i += BLOCK) {
        const float x = input[row + i] + residual[row + i];
        residual[row + i] = x;
        squares += x * x;
    }
    partial[item] = squares;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int reach = BLOCK / 2; reach > 0; reach /= 2) {
        if (item < reach)
            partial[item] += partial[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float scale = rsqrt(partial[0] / hidden + epsilon);
    for (int i = item; i < hidden; i += BLOCK)
        input[row + i] = residual[row + i] * scale * weight[i];
}
