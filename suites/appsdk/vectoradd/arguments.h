#ifndef ARGUMENTS_H
#define ARGUMENTS_H

/* vectoradd [LENGTH [FRAMES]]: FRAMES vectors of LENGTH values are added up, one launch after the other. */
struct arguments {
    unsigned length;
    unsigned frames;
};

struct arguments read_arguments(int argc, char **argv);

#endif
