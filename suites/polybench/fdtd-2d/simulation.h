#ifndef SIMULATION_H
#define SIMULATION_H

#include "fields.h"

struct simulation; /* fields on the device */

struct simulation *simulation_open(const struct fields *start, const struct options *size);
void simulation_advance(struct simulation *s, int steps);
void simulation_read(struct simulation *s, struct fields *out);
double simulation_kernel_ms(const struct simulation *s);
void simulation_close(struct simulation *s);

#endif
