/* The neighbours of atom i are list[start[i]] to list[start[i + 1] - 1]. */

/* Electron density at each atom: what its neighbours contribute. */
__kernel void eam_density(__global const float4 *position, __global const int *start, __global const int *list,
                          __global const float2 *density_table, __global float *rho, const int atoms, const eam_params p)
{
    const int i = get_global_id(0);
    if (i >= atoms)
        return;
    const float4 me = position[i];
    float sum = 0.0f;
    for (int k = start[i]; k < start[i + 1]; k++) {
        const float r = between(me, position[list[k]], p.box).w;
        if (r < p.cutoff)
            sum += lookup(density_table, r, p.entries_per_r, p.entries).x;
    }
    rho[i] = sum;
}

/* Energy of embedding each atom in its density, and its slope. */
__kernel void eam_embed(__global const float *rho, __global const float2 *embedding_table, __global float2 *embedding,
                        const int atoms, const eam_params p)
{
    const int i = get_global_id(0);
    if (i < atoms)
        embedding[i] = lookup(embedding_table, rho[i], p.entries_per_rho, p.entries);
}

/* Forces, and the atom's energy in w. */
__kernel void eam_force(__global const float4 *position, __global const int *start, __global const int *list,
                        __global const float2 *density_table, __global const float2 *pair_table,
                        __global const float2 *embedding, __global float4 *force, const int atoms, const eam_params p)
{
    const int i = get_global_id(0);
    if (i >= atoms)
        return;
    const float4 me = position[i];
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, embedding[i].x);
    for (int k = start[i]; k < start[i + 1]; k++) {
        const int j = list[k];
        const float4 d = between(me, position[j], p.box);
        const float r = d.w;
        if (r < p.cutoff) {
            const float density_slope = lookup(density_table, r, p.entries_per_r, p.entries).y;
            const float2 pair = lookup(pair_table, r, p.entries_per_r, p.entries);
            const float slope = pair.y + (embedding[i].y + embedding[j].y) * density_slope;
            sum.x -= slope * d.x / r;
            sum.y -= slope * d.y / r;
            sum.z -= slope * d.z / r;
            sum.w += 0.5f * pair.x;
        }
    }
    force[i] = sum;
}
