/* lj [ATOMS]: forces of a Lennard-Jones liquid from neighbour lists. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "atoms.h"
#include "lj_params.h"
#include "neighbours.h"
#include "opencl.h"
#include "reference.h"

static struct lj_params liquid(float box, float cutoff)
{
    struct lj_params p = {1.0f, 1.0f, cutoff * cutoff, box, 0.0f};
    const float s6 = powf(p.sigma2 / p.cutoff2, 3.0f);
    p.energy_shift = 4.0f * p.epsilon * s6 * (s6 - 1.0f);
    return p;
}

int main(int argc, char **argv)
{
    const float cutoff = 2.5f, skin = 0.3f;
    const int count = argc > 1 ? atoi(argv[1]) : 108000;
    if (count < 500) {
        fprintf(stderr, "usage: lj [ATOMS], at least 500 of them\n"); /* fewer see their own images */
        return 2;
    }
    struct atoms atoms = atoms_on_lattice(count, 0.8442f);
    struct neighbours lists = neighbours_within(&atoms, cutoff + skin);
    const struct lj_params params = liquid(atoms.box, cutoff);

    struct force_field ff;
    force_field_open(&ff, &atoms, &lists);
    double best = 0.0;
    for (int run = 0; run < 4; run++) {
        const double ms = force_field_run(&ff, params);
        if (run == 1 || (run > 1 && ms < best))
            best = ms;
    }
    cl_float4 *force = calloc(count, sizeof *force);
    if (!force)
        return 2;
    force_field_read(&ff, force);
    force_field_close(&ff);

    const int wrong = reference_wrong(&atoms, &lists, &params, force);
    printf("kernel_ms %.3f\n", best);
    printf("check %s\n", wrong ? "FAILED" : "OK");
    free(force);
    free(lists.list);
    free(lists.count);
    free(atoms.position);
    return wrong ? 1 : 0;
}
