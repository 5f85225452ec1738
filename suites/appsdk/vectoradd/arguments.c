#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned positive(const char *text, unsigned least)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || value < least || value > 1u << 28) {
        fprintf(stderr, "vectoradd: not a size: %s\nusage: vectoradd [LENGTH [FRAMES]]\n", text);
        exit(2);
    }
    return (unsigned)value;
}

struct arguments read_arguments(int argc, char **argv)
{
    struct arguments a = {4u << 20, 8};
    if (argc > 1)
        a.length = positive(argv[1], 1);
    if (argc > 2)
        a.frames = positive(argv[2], 2);
    return a;
}
