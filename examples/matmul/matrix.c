#include "matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix matrix_new(int rows, int columns)
{
    struct matrix matrix = {rows, columns, calloc((size_t)rows * columns, sizeof(float))};
    if (!matrix.values) {
        fprintf(stderr, "matmul: out of memory for a %d x %d matrix\n", rows, columns);
        exit(1);
    }
    return matrix;
}

void matrix_fill(struct matrix *matrix, unsigned seed)
{
    unsigned state = seed * 2654435761u + 1u;
    for (size_t i = 0; i < (size_t)matrix->rows * matrix->columns; i++) {
        state = state * 1664525u + 1013904223u;
        matrix->values[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
}

int matrix_check_product(const struct matrix *a, const struct matrix *b, const struct matrix *c)
{
    int wrong = 0;
    double *row = malloc(sizeof(double) * b->columns);
    for (int i = 0; row && i < a->rows; i++) {
        for (int j = 0; j < b->columns; j++)
            row[j] = 0.0;
        for (int k = 0; k < a->columns; k++)
            for (int j = 0; j < b->columns; j++)
                row[j] += (double)a->values[(size_t)i * a->columns + k] * b->values[(size_t)k * b->columns + j];
        for (int j = 0; j < b->columns; j++)
            wrong += !(fabs(row[j] - c->values[(size_t)i * c->columns + j]) <= 1e-5 * (a->columns + fabs(row[j])));
    }
    wrong += row == NULL;
    free(row);
    return wrong;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->values);
    matrix->values = NULL;
}
