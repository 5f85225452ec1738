/* Products of matrices by OpenBLAS. A symmetric result is computed as one triangle and mirrored, since the programs deliver both. */
#include "peer.h"

#include <cblas.h>

static void product(const float *a, const float *b, float *c, int rows, int columns, int inner, float alpha, float beta)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, alpha, a, inner, b, columns, beta, c, columns);
}

static void mirror(float *c, int n)
{
    #pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            c[(size_t)j * n + i] = c[(size_t)i * n + j];
}

static double gemm(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *b = numbers(all, 2), *c = numbers(all, 3);
    BEST_PASS(memset(c, 0, all * sizeof(float)), product(a, b, c, n, n, n, 1.5f, 1.2f))
    *sum = total(c, all);
    return best;
}

static double mm2(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *b = numbers(all, 2), *c = numbers(all, 3), *d = numbers(all, 4), *t = numbers(all, 5);
    BEST_PASS(memset(d, 0, all * sizeof(float)), { product(a, b, t, n, n, n, 1.5f, 0.0f); product(t, c, d, n, n, n, 1.0f, 1.2f); })
    *sum = total(d, all);
    return best;
}

static double mm3(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *b = numbers(all, 2), *c = numbers(all, 3), *d = numbers(all, 4), *e = numbers(all, 5), *f = numbers(all, 6), *g = numbers(all, 7);
    BEST_PASS(, {
        product(a, b, e, n, n, n, 1.0f, 0.0f);
        product(c, d, f, n, n, n, 1.0f, 0.0f);
        product(e, f, g, n, n, n, 1.0f, 0.0f);
    })
    *sum = total(g, all);
    return best;
}

static double matrixmultiplication(const int *size, double *sum)
{
    const int rows = size[0], columns = size[1], inner = size[2];
    float *a = numbers((size_t)rows * inner, 1), *b = numbers((size_t)inner * columns, 2), *c = numbers((size_t)rows * columns, 3);
    BEST_PASS(, product(a, b, c, rows, columns, inner, 1.0f, 0.0f))
    *sum = total(c, (size_t)rows * columns);
    return best;
}

static double syrk(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *c = numbers(all, 2);
    BEST_PASS(memset(c, 0, all * sizeof(float)),
              { cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1.5f, a, n, 1.2f, c, n); mirror(c, n); })
    *sum = total(c, all);
    return best;
}

static double syr2k(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *b = numbers(all, 2), *c = numbers(all, 3);
    BEST_PASS(memset(c, 0, all * sizeof(float)),
              { cblas_ssyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1.5f, a, n, b, n, 1.2f, c, n); mirror(c, n); })
    *sum = total(c, all);
    return best;
}

/* Columns brought to mean 0, and to length 1 where `scaled`; then data^T data. */
static double centred(int m, int n, int scaled, double *sum)
{
    const size_t all = (size_t)m * n;
    float *first = numbers(all, 1), *data = numbers(all, 1), *mean = numbers(m, 2), *length = numbers(m, 3), *c = numbers((size_t)m * m, 4);
    BEST_PASS(memcpy(data, first, all * sizeof(float)), {
        memset(mean, 0, m * sizeof(float));
        memset(length, 0, m * sizeof(float));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                mean[j] += data[(size_t)i * m + j] / n;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                data[(size_t)i * m + j] -= mean[j];
                length[j] += data[(size_t)i * m + j] * data[(size_t)i * m + j];
            }
        for (int i = 0; scaled && i < n; i++)
            for (int j = 0; j < m; j++)
                data[(size_t)i * m + j] /= sqrtf(length[j]);
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, m, n, scaled ? 1.0f : 1.0f / (n - 1), data, m, 0.0f, c, m);
        mirror(c, m);
    })
    *sum = total(c, (size_t)m * m);
    return best;
}

static double corr(const int *size, double *sum) { return centred(size[0], size[1], 1, sum); }
static double covar(const int *size, double *sum) { return centred(size[0], size[1], 0, sum); }

static const struct peer peers[] = {
    {"GEMM", gemm, {480}},
    {"2MM", mm2, {352}},
    {"3MM", mm3, {320}},
    {"matrixmultiplication", matrixmultiplication, {512, 512, 512}},
    {"SYRK", syrk, {480}},
    {"SYR2K", syr2k, {448}},
    {"CORR", corr, {512, 512}},
    {"COVAR", covar, {480, 480}},
    {NULL, NULL, {0}},
};

int main(int argc, char **argv) { return peer_main(peers, argc, argv); }
