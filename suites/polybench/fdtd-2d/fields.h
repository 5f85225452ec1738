#ifndef FIELDS_H
#define FIELDS_H

#include <stddef.h>

#include "options.h"

struct fields {
    float *ex, *ey, *hz;
    float *source; /* one value per time step */
};

struct fields fields_make(const struct options *size);
void fields_free(struct fields *f);

/* Advances start by size->steps in double precision; how many cells of end differ. */
long fields_wrong(const struct fields *start, const struct fields *end, const struct options *size);

#endif
