#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

#include "atoms.h"

/* Full neighbour lists of equal room: neighbour k of atom i is list[k * atoms + i]. */
struct neighbours {
    int most; /* of any atom */
    cl_int *count;
    cl_int *list;
};

struct neighbours neighbours_within(const struct atoms *atoms, float reach);

#endif
