#include "atoms.h"

#include <math.h>
#include <stdlib.h>

static float jitter(void)
{
    static unsigned state = 4711;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 8388608.0f - 1.0f;
}

static float inside(float x, float box) { return x < 0.0f ? x + box : x >= box ? x - box : x; }

struct atoms atoms_on_lattice(int count, float density)
{
    static const float corner[4][3] = {{0, 0, 0}, {0.5f, 0.5f, 0}, {0.5f, 0, 0.5f}, {0, 0.5f, 0.5f}};
    const float cell = cbrtf(4.0f / density);
    int cells = 1;
    while (4 * cells * cells * cells < count)
        cells++;
    const int sites = 4 * cells * cells * cells;
    struct atoms atoms = {count, cells * cell, malloc(count * sizeof(cl_float4))};
    if (!atoms.position)
        exit(2);
    for (int i = 0; i < count; i++) {
        const int site = (int)((long long)i * sites / count); /* empty sites are spread over the box */
        const int c = site / 4;
        const int at[3] = {c % cells, c / cells % cells, c / cells / cells};
        for (int d = 0; d < 3; d++)
            atoms.position[i].s[d] = inside((at[d] + corner[site % 4][d] + 0.08f * jitter()) * cell, atoms.box);
        atoms.position[i].s[3] = 0.0f;
    }
    return atoms;
}
