#include "neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The box in cubes no smaller than the reach, so that neighbours are in the 27 cubes around an atom. */
struct grid {
    int side;
    int *first; /* the first atom of each cube */
    int *next;  /* the next atom in the same cube */
};

static int cube_of(const struct grid *g, const cl_float4 *p, float box)
{
    int c[3];
    for (int d = 0; d < 3; d++) {
        c[d] = (int)(p->s[d] / box * g->side);
        if (c[d] >= g->side)
            c[d] = g->side - 1;
    }
    return (c[2] * g->side + c[1]) * g->side + c[0];
}

static struct grid grid_of(const struct atoms *atoms, float reach)
{
    struct grid g;
    g.side = (int)(atoms->box / reach);
    if (g.side < 3)
        g.side = 1; /* everyone is in the same cube, and is looked at once */
    const size_t cubes = (size_t)g.side * g.side * g.side;
    g.first = malloc(cubes * sizeof(int));
    g.next = malloc(atoms->count * sizeof(int));
    if (!g.first || !g.next)
        exit(2);
    memset(g.first, -1, cubes * sizeof(int));
    for (int i = atoms->count - 1; i >= 0; i--) {
        const int cube = cube_of(&g, &atoms->position[i], atoms->box);
        g.next[i] = g.first[cube];
        g.first[cube] = i;
    }
    return g;
}

static float apart2(const cl_float4 *a, const cl_float4 *b, float box)
{
    float sum = 0.0f;
    for (int d = 0; d < 3; d++) {
        float x = a->s[d] - b->s[d];
        x -= box * rintf(x / box);
        sum += x * x;
    }
    return sum;
}

/* Writes the neighbours of atom i to `out` unless it is NULL; returns their number. */
static int find(const struct atoms *atoms, const struct grid *g, int i, float reach, cl_int *out)
{
    const int cube = cube_of(g, &atoms->position[i], atoms->box);
    const int x = cube % g->side, y = cube / g->side % g->side, z = cube / g->side / g->side;
    const int around = g->side == 1 ? 0 : 1;
    int found = 0;
    for (int dz = -around; dz <= around; dz++)
        for (int dy = -around; dy <= around; dy++)
            for (int dx = -around; dx <= around; dx++) {
                const int s = g->side;
                const int other = (((z + dz + s) % s) * s + (y + dy + s) % s) * s + (x + dx + s) % s;
                for (int j = g->first[other]; j >= 0; j = g->next[j])
                    if (j != i && apart2(&atoms->position[i], &atoms->position[j], atoms->box) < reach * reach) {
                        if (out)
                            out[(size_t)found * atoms->count] = j;
                        found++;
                    }
            }
    return found;
}

struct neighbours neighbours_within(const struct atoms *atoms, float reach)
{
    struct neighbours n = {1, malloc(atoms->count * sizeof(cl_int)), NULL};
    struct grid g = grid_of(atoms, reach);
    if (!n.count)
        exit(2);
    for (int i = 0; i < atoms->count; i++) {
        n.count[i] = find(atoms, &g, i, reach, NULL);
        if (n.count[i] > n.most)
            n.most = n.count[i];
    }
    n.list = calloc((size_t)n.most * atoms->count, sizeof(cl_int));
    if (!n.list)
        exit(2);
    for (int i = 0; i < atoms->count; i++)
        find(atoms, &g, i, reach, n.list + i);
    free(g.first);
    free(g.next);
    return n;
}
