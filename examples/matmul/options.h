#ifndef OPTIONS_H
#define OPTIONS_H

struct options {
    int rows, columns, inner;
    int repeat;
    int check;
};

/* Fills in what the command line says; returns 0 and prints the usage when it cannot be read. */
int options_read(struct options *options, int argc, char **argv);

#endif
