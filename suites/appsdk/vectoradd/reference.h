#ifndef REFERENCE_H
#define REFERENCE_H

/* Values in [-1, 1) that differ from frame to frame and from place to place. */
void fill_frames(float *values, unsigned length, unsigned frames);

/* How many of the sums are not what double precision says they are. */
unsigned count_wrong(const float *sums, const float *frames_of_values, unsigned length, unsigned frames);

#endif
