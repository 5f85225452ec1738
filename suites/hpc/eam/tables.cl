/* What both loops over neighbours share: the parameters, distances in a periodic box and functions given by tables. */
typedef struct {
    float box;
    float cutoff;
    float entries_per_r;   /* of the tables over distances */
    float entries_per_rho; /* of the table over densities */
    int entries;
} eam_params;

/* A table holds values in x and slopes in y. */
inline float2 lookup(__global const float2 *table, const float at, const float entries_per_unit, const int entries)
{
    const float place = at * entries_per_unit;
    const int below = min((int)place, entries - 2);
    const float share = place - below;
    return table[below] + share * (table[below + 1] - table[below]);
}

inline float4 between(const float4 a, const float4 b, const float box)
{
    float4 d = a - b;
    d.x -= box * rint(d.x / box);
    d.y -= box * rint(d.y / box);
    d.z -= box * rint(d.z / box);
    d.w = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return d;
}
