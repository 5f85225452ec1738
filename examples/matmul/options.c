#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(const char *program)
{
    fprintf(stderr, "usage: %s [--size N] [--rows N] [--columns N] [--inner N] [--repeat N] [--check]\n", program);
    return 0;
}

int options_read(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            options->check = 1;
            continue;
        }
        const int value = i + 1 < argc ? atoi(argv[i + 1]) : 0;
        if (value <= 0)
            return usage(argv[0]);
        if (strcmp(argv[i], "--size") == 0)
            options->rows = options->columns = options->inner = value;
        else if (strcmp(argv[i], "--rows") == 0)
            options->rows = value;
        else if (strcmp(argv[i], "--columns") == 0)
            options->columns = value;
        else if (strcmp(argv[i], "--inner") == 0)
            options->inner = value;
        else if (strcmp(argv[i], "--repeat") == 0)
            options->repeat = value;
        else
            return usage(argv[0]);
        i++;
    }
    return 1;
}
