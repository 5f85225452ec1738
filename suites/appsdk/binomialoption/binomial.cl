// One work-group prices one European call on a recombining tree. Work-item i holds node i of the tree's current level;
// the levels alternate between two rows of local memory, from the leaves back to the root.
__kernel void binomial_option(const int steps, const float riskfree, const float volatility,
                              __global const float *spot, __global const float *strike, __global const float *years,
                              __global float *price, __local float *even, __local float *odd)
{
    const int option = get_group_id(0);
    const int node = get_local_id(0);

    const float dt = years[option] / steps;
    const float vsdt = volatility * sqrt(dt);
    const float growth = exp(riskfree * dt);
    const float up = exp(vsdt);
    const float down = 1.0f / up;
    const float p_up = (growth - down) / (up - down);
    const float up_discounted = p_up / growth;
    const float down_discounted = (1.0f - p_up) / growth;

    const float at_expiry = spot[option] * exp(vsdt * (2.0f * node - steps));
    even[node] = fmax(at_expiry - strike[option], 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int level = steps; level > 0; level -= 2) {
        if (node < level)
            odd[node] = up_discounted * even[node + 1] + down_discounted * even[node];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (level == 1) {
            if (node == 0)
                even[0] = odd[0];
        } else if (node < level - 1) {
            even[node] = up_discounted * odd[node + 1] + down_discounted * odd[node];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (node == 0)
        price[option] = even[0];
}
