/* Eleven of the 27 neighbours, weighted; the six faces of the box are left as they are. W1 to W9 come from the host. */
#define IN(di, dj, dk) in[((i + (di)) * nj + (j + (dj))) * nk + (k + (dk))]

__kernel void conv3d(__global const float *in, __global float *out, const int ni, const int nj, const int nk)
{
    const int k = get_global_id(0);
    const int j = get_global_id(1);
    const int i = get_global_id(2);
    if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1 && k > 0 && k < nk - 1)
        out[(i * nj + j) * nk + k] = W1 * IN(-1, -1, -1) + W3 * IN(1, -1, -1)
                                   + W4 * IN(-1, 0, -1) + W6 * IN(1, 0, -1)
                                   + W7 * IN(-1, 1, -1) + W9 * IN(1, 1, -1)
                                   + W2 * IN(0, -1, 0) + W5 * IN(0, 0, 0) + W8 * IN(0, 1, 0)
                                   + W1 * IN(-1, -1, 1) + W9 * IN(1, 1, 1);
}
