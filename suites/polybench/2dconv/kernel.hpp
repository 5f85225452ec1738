#pragma once

// A weighted mean of the 3 x 3 neighbours; the border is left as it is.
inline constexpr const char* conv2d_source = R"cl(
__kernel void conv2d(__global const float *in, __global float *out, const int ni, const int nj)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i > 0 && j > 0 && i < ni - 1 && j < nj - 1)
        out[i * nj + j] = 0.2f * in[(i - 1) * nj + (j - 1)] - 0.3f * in[(i - 1) * nj + j] + 0.4f * in[(i - 1) * nj + (j + 1)]
                        + 0.5f * in[i * nj + (j - 1)] + 0.6f * in[i * nj + j] + 0.7f * in[i * nj + (j + 1)]
                        - 0.8f * in[(i + 1) * nj + (j - 1)] - 0.9f * in[(i + 1) * nj + j] + 0.1f * in[(i + 1) * nj + (j + 1)];
}
)cl";
