#ifndef ATOMS_H
#define ATOMS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* Atoms near the sites of a face-centred cubic lattice in a periodic cube; some sites stay empty. */
struct atoms {
    int count;
    float box;
    cl_float4 *position;
};

struct atoms atoms_on_lattice(int count, float density);

#endif
