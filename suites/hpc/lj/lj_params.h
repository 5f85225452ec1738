/* Shared by host and device: the parameters of the Lennard-Jones potential, passed to the kernel by value. */
#ifndef LJ_PARAMS_H
#define LJ_PARAMS_H

struct lj_params {
    float epsilon;
    float sigma2;      /* sigma squared */
    float cutoff2;     /* cutoff squared */
    float box;         /* side of the periodic cube */
    float energy_shift; /* potential at the cutoff */
};

#endif
