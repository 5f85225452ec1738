#ifndef OPTIONS_H
#define OPTIONS_H

struct options {
    int nx, ny, steps;
};

/* [size] or [nx ny] or [nx ny steps]; ends the program when it cannot be understood. */
struct options options_parse(int argc, char **argv);

#endif
