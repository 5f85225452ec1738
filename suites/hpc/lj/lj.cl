#include "lj_params.h"

/* Shortest image of a distance in the periodic box. */
inline float wrap(float d, const float box)
{
    if (d > 0.5f * box)
        d -= box;
    else if (d < -0.5f * box)
        d += box;
    return d;
}

/*
 * Force and energy of each atom from its neighbours: x, y, z of `force` and half of the pair energies in w. Neighbour k
 * of atom i is list[k * atoms + i]; the list is longer than the cutoff, so distances are looked at again.
 */
__kernel void lj_force(__global const float4 *position, __global const int *count, __global const int *list,
                       __global float4 *force, const int atoms, const struct lj_params p)
{
    const int i = get_global_id(0);
    if (i >= atoms)
        return;

    const float4 me = position[i];
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < count[i]; k++) {
        const int j = list[k * atoms + i];
        const float4 other = position[j];
        const float dx = wrap(me.x - other.x, p.box);
        const float dy = wrap(me.y - other.y, p.box);
        const float dz = wrap(me.z - other.z, p.box);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < p.cutoff2) {
            const float s2 = p.sigma2 / r2;
            const float s6 = s2 * s2 * s2;
            const float f = 24.0f * p.epsilon * s6 * (2.0f * s6 - 1.0f) / r2;
            sum.x += f * dx;
            sum.y += f * dy;
            sum.z += f * dz;
            sum.w += 0.5f * (4.0f * p.epsilon * s6 * (s6 - 1.0f) - p.energy_shift);
        }
    }
    force[i] = sum;
}
