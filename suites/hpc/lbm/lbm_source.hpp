// The device program in two parts, joined when it is built.
#pragma once

inline const char lattice_source[] = R"(
#define DIRECTIONS 9
__constant int cx[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int cy[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant int opposite[DIRECTIONS] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant float weight[DIRECTIONS] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                                       1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

typedef struct {
    int width;
    int height;
    float omega;
    float push;
} flow_params;
)";

inline const char update_source[] = R"(
// One step of one cell: collect the populations that arrive (those from a wall are the cell's own, sent back), relax them
// towards equilibrium, store them in the other lattice. The channel is periodic in both directions.
__kernel void lbm_step(__global const float *from, __global float *to, __global const uchar *wall, const flow_params p)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= p.width || y >= p.height)
        return;

    const int cells = p.width * p.height;
    const int cell = y * p.width + x;
    if (wall[cell]) {
        for (int q = 0; q < DIRECTIONS; q++)
            to[q * cells + cell] = weight[q];
        return;
    }

    float f[DIRECTIONS];
    float rho = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int q = 0; q < DIRECTIONS; q++) {
        const int from_x = (x - cx[q] + p.width) % p.width;
        const int from_y = (y - cy[q] + p.height) % p.height;
        const int behind = from_y * p.width + from_x;
        f[q] = wall[behind] ? from[opposite[q] * cells + cell] : from[q * cells + behind];
        rho += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    ux = ux / rho + p.push / p.omega;
    uy = uy / rho;

    const float speed2 = ux * ux + uy * uy;
    for (int q = 0; q < DIRECTIONS; q++) {
        const float along = cx[q] * ux + cy[q] * uy;
        const float relaxed = weight[q] * rho * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * speed2);
        to[q * cells + cell] = f[q] + p.omega * (relaxed - f[q]);
    }
}
)";
