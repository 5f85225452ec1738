#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int number(const char *text, int least, int most)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < least || value > most) {
        fprintf(stderr, "fdtd-2d: %s is not a number from %d to %d\nusage: fdtd-2d [nx [ny [steps]]]\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

struct options options_parse(int argc, char **argv)
{
    struct options given = {1280, 1280, 10};
    if (argc > 1)
        given.nx = given.ny = number(argv[1], 3, 8192);
    if (argc > 2)
        given.ny = number(argv[2], 3, 8192);
    if (argc > 3)
        given.steps = number(argv[3], 1, 1000);
    return given;
}
