/* An electromagnetic wave on a two-dimensional grid by finite differences in time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "options.h"
#include "simulation.h"

int main(int argc, char **argv)
{
    struct options size = options_parse(argc, argv);
    struct fields start = fields_make(&size), end = fields_make(&size);
    size_t bytes = sizeof(float) * size.nx * size.ny;
    memset(end.ex, 0xff, bytes); /* all NaN until they are read */
    memset(end.ey, 0xff, bytes);
    memset(end.hz, 0xff, bytes);

    struct simulation *s = simulation_open(&start, &size);
    simulation_advance(s, size.steps);
    simulation_read(s, &end);
    printf("kernel_ms %.4f\n", simulation_kernel_ms(s));
    simulation_close(s);

    long wrong = fields_wrong(&start, &end, &size);
    if (wrong)
        fprintf(stderr, "%ld cells differ\n", wrong);
    printf("check %s\n", wrong ? "FAILED" : "OK");
    fields_free(&start);
    fields_free(&end);
    return wrong ? 1 : 0;
}
