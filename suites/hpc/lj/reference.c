#include "reference.h"

#include <math.h>
#include <stdio.h>

/* `size` is the sum of the magnitudes, which rounding is measured against; `edge` are the forces of pairs so close to the
   cutoff that rounding decides whether they count. */
struct total {
    double sum[4];
    double size;
    double edge;
};

static void add_pair(struct total *t, const struct atoms *atoms, const struct lj_params *p, int i, int j)
{
    double d[3], r2 = 0.0;
    for (int k = 0; k < 3; k++) {
        d[k] = (double)atoms->position[i].s[k] - atoms->position[j].s[k];
        d[k] -= p->box * rint(d[k] / p->box);
        r2 += d[k] * d[k];
    }
    const double s2 = p->sigma2 / r2, s6 = s2 * s2 * s2;
    const double f = 24.0 * p->epsilon * s6 * (2.0 * s6 - 1.0) / r2;
    if (fabs(r2 - p->cutoff2) < 2e-5)
        t->edge += fabs(f) * sqrt(r2);
    if (r2 >= p->cutoff2)
        return;
    for (int k = 0; k < 3; k++)
        t->sum[k] += f * d[k];
    t->sum[3] += 0.5 * (4.0 * p->epsilon * s6 * (s6 - 1.0) - p->energy_shift);
    t->size += fabs(f) * sqrt(r2);
}

static double error_of(const struct total *t, const cl_float4 *got)
{
    double worst = 0.0;
    for (int k = 0; k < 4; k++) {
        const double error = (fabs(got->s[k] - t->sum[k]) - t->edge) / (1.0 + t->size);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

int reference_wrong(const struct atoms *atoms, const struct neighbours *lists, const struct lj_params *p,
                    const cl_float4 *force)
{
    const double tolerance = 2e-5; /* distances across the box's border are rounded to the box's size */
    double worst = 0.0;
    int wrong = 0;
    for (int i = 0; i < atoms->count; i++) {
        struct total t = {{0}, 0, 0};
        for (int k = 0; k < lists->count[i]; k++)
            add_pair(&t, atoms, p, i, lists->list[(size_t)k * atoms->count + i]);
        const double error = error_of(&t, &force[i]);
        wrong += !(error <= tolerance);
        worst = fmax(worst, error);
    }
    const int stride = atoms->count / 32 + 1;
    for (int i = 0; i < atoms->count; i += stride) {
        struct total t = {{0}, 0, 0};
        for (int j = 0; j < atoms->count; j++)
            if (j != i)
                add_pair(&t, atoms, p, i, j);
        wrong += !(error_of(&t, &force[i]) <= tolerance);
    }
    printf("largest relative error %.2e, %d of %d atoms wrong\n", worst, wrong, atoms->count);
    return wrong;
}
