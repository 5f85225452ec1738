#ifndef REFERENCE_H
#define REFERENCE_H

#include "atoms.h"
#include "lj_params.h"
#include "neighbours.h"

/* Compares the forces and energies of all atoms with sums in double precision: over their neighbours, and for some atoms
   over all pairs, which shows that the lists are complete. Returns how many atoms are wrong. */
int reference_wrong(const struct atoms *atoms, const struct neighbours *lists, const struct lj_params *p,
                    const cl_float4 *force);

#endif
