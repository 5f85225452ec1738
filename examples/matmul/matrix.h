#ifndef MATRIX_H
#define MATRIX_H

struct matrix {
    int rows, columns;
    float *values; /* row by row */
};

struct matrix matrix_new(int rows, int columns);
/* Reproducible values between -1 and 1. */
void matrix_fill(struct matrix *matrix, unsigned seed);
/* The product computed on the host in double precision, compared element by element; returns the number that differ. */
int matrix_check_product(const struct matrix *a, const struct matrix *b, const struct matrix *c);
void matrix_free(struct matrix *matrix);

#endif
