/* Matrix-vector products, factorisations and element-wise programs: rows shared out among the cores; a sum over a row is a vector's sum; a sum
 * over a column runs along the rows, each core with columns of its own. */
#include "peer.h"

#include <omp.h>

/* y = A x */
static void rows_of(const float *a, const float *x, float *y, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
        #pragma omp simd reduction(+ : sum)
        for (int j = 0; j < columns; j++)
            sum += a[(size_t)i * columns + j] * x[j];
        y[i] = sum;
    }
}

/* y += A^T x */
static void columns_of(const float *a, const float *x, float *y, int rows, int columns)
{
    #pragma omp parallel
    {
        const int cores = omp_get_num_threads(), me = omp_get_thread_num();
        const int first = (int)((long)columns * me / cores), last = (int)((long)columns * (me + 1) / cores);
        for (int i = 0; i < rows; i++)
            for (int j = first; j < last; j++)
                y[j] += a[(size_t)i * columns + j] * x[i];
    }
}

static double atax(const int *size, double *sum)
{
    const int n = size[0];
    float *a = numbers((size_t)n * n, 1), *x = numbers(n, 2), *t = numbers(n, 3), *y = numbers(n, 4);
    BEST_PASS(memset(y, 0, n * sizeof(float)), { rows_of(a, x, t, n, n); columns_of(a, t, y, n, n); })
    *sum = total(y, n);
    return best;
}

static double bicg(const int *size, double *sum)
{
    const int n = size[0];
    float *a = numbers((size_t)n * n, 1), *r = numbers(n, 2), *p = numbers(n, 3), *s = numbers(n, 4), *q = numbers(n, 5);
    BEST_PASS(memset(s, 0, n * sizeof(float)), { columns_of(a, r, s, n, n); rows_of(a, p, q, n, n); })
    *sum = total(s, n) + total(q, n);
    return best;
}

static double mvt(const int *size, double *sum)
{
    const int n = size[0];
    float *a = numbers((size_t)n * n, 1), *y1 = numbers(n, 2), *y2 = numbers(n, 3), *x1 = numbers(n, 4), *x2 = numbers(n, 5);
    BEST_PASS(memset(x2, 0, n * sizeof(float)), { rows_of(a, y1, x1, n, n); columns_of(a, y2, x2, n, n); })
    *sum = total(x1, n) + total(x2, n);
    return best;
}

static double gesummv(const int *size, double *sum)
{
    const int n = size[0];
    float *a = numbers((size_t)n * n, 1), *b = numbers((size_t)n * n, 2), *x = numbers(n, 3), *y = numbers(n, 4);
    BEST_PASS(, {
        _Pragma("omp parallel for")
        for (int i = 0; i < n; i++) {
            float left = 0.0f, right = 0.0f;
            _Pragma("omp simd reduction(+ : left, right)")
            for (int j = 0; j < n; j++) {
                left += a[(size_t)i * n + j] * x[j];
                right += b[(size_t)i * n + j] * x[j];
            }
            y[i] = 1.5f * left + 1.2f * right;
        }
    })
    *sum = total(y, n);
    return best;
}

static double gemver(const int *size, double *sum)
{
    const int n = size[0];
    float *first = numbers((size_t)n * n, 1), *a = numbers((size_t)n * n, 1), *u1 = numbers(n, 2), *v1 = numbers(n, 3), *u2 = numbers(n, 4);
    float *v2 = numbers(n, 5), *y = numbers(n, 6), *z = numbers(n, 7), *x = numbers(n, 8), *w = numbers(n, 9);
    BEST_PASS((memcpy(a, first, (size_t)n * n * sizeof(float)), memcpy(x, z, n * sizeof(float))), {
        _Pragma("omp parallel for")
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[(size_t)i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
        columns_of(a, y, x, n, n);
        rows_of(a, x, w, n, n);
    })
    *sum = total(w, n);
    return best;
}

static double lu(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *first = numbers(all, 1), *a = numbers(all, 1);
    for (int i = 0; i < n; i++)
        first[(size_t)i * n + i] = (float)(n + 1);
    BEST_PASS(memcpy(a, first, all * sizeof(float)), {
        for (int k = 0; k < n; k++) {
            float *pivot = a + (size_t)k * n;
            for (int j = k + 1; j < n; j++)
                pivot[j] /= pivot[k];
            _Pragma("omp parallel for")
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++)
                    a[(size_t)i * n + j] -= a[(size_t)i * n + k] * pivot[j];
        }
    })
    *sum = total(a, all);
    return best;
}

static double gramschm(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *first = numbers(all, 1), *a = numbers(all, 1), *r = numbers(all, 2), *q = numbers(all, 3);
    for (int i = 0; i < n; i++)
        first[(size_t)i * n + i] += 10.0f;
    BEST_PASS(memcpy(a, first, all * sizeof(float)), {
        for (int k = 0; k < n; k++) {
            float squares = 0.0f, *row = r + (size_t)k * n;
            for (int m = 0; m < n; m++)
                squares += a[(size_t)m * n + k] * a[(size_t)m * n + k];
            row[k] = sqrtf(squares);
            for (int m = 0; m < n; m++)
                q[(size_t)m * n + k] = a[(size_t)m * n + k] / row[k];
            _Pragma("omp parallel")
            {
                const int cores = omp_get_num_threads(), me = omp_get_thread_num(), left = n - k - 1;
                const int from = k + 1 + (int)((long)left * me / cores), to = k + 1 + (int)((long)left * (me + 1) / cores);
                for (int j = from; j < to; j++)
                    row[j] = 0.0f;
                for (int m = 0; m < n; m++)
                    for (int j = from; j < to; j++)
                        row[j] += q[(size_t)m * n + k] * a[(size_t)m * n + j];
                for (int m = 0; m < n; m++)
                    for (int j = from; j < to; j++)
                        a[(size_t)m * n + j] -= q[(size_t)m * n + k] * row[j];
            }
        }
    })
    *sum = total(q, all);
    return best;
}

/* FRAMES vectors added one after the other. */
static double vectoradd(const int *size, double *sum)
{
    const size_t n = size[0];
    const int frames = size[1];
    float *frame[64], *out[2] = {numbers(n, 100), numbers(n, 101)};
    if (frames > 64)
        exit(2);
    for (int f = 0; f < frames; f++)
        frame[f] = numbers(n, f + 1);
    BEST_PASS(, {
        for (int f = 1; f < frames; f++) {
            const float *left = f == 1 ? frame[0] : out[f % 2], *right = frame[f];
            float *to = out[(f + 1) % 2];
            _Pragma("omp parallel for simd")
            for (size_t i = 0; i < n; i++)
                to[i] = left[i] + right[i];
        }
    })
    *sum = total(out[frames % 2], n);
    return best;
}

static double silu_and_mul(const int *size, double *sum)
{
    const int tokens = size[0], d = size[1];
    float *in = numbers(2 * (size_t)tokens * d, 1), *out = numbers((size_t)tokens * d, 2);
    BEST_PASS(, {
        _Pragma("omp parallel for")
        for (int t = 0; t < tokens; t++) {
            const float *gate = in + 2 * (size_t)t * d, *value = gate + d;
            float *o = out + (size_t)t * d;
            for (int i = 0; i < d; i++)
                o[i] = gate[i] / (1.0f + expf(-gate[i])) * value[i];
        }
    })
    *sum = total(out, (size_t)tokens * d);
    return best;
}

static double fused_add_rmsnorm(const int *size, double *sum)
{
    const int tokens = size[0], hidden = size[1];
    const size_t all = (size_t)tokens * hidden;
    float *input0 = numbers(all, 1), *residual0 = numbers(all, 2), *weight = numbers(hidden, 3), *input = numbers(all, 1), *residual = numbers(all, 2);
    BEST_PASS((memcpy(input, input0, all * sizeof(float)), memcpy(residual, residual0, all * sizeof(float))), {
        _Pragma("omp parallel for")
        for (int t = 0; t < tokens; t++) {
            float *x = input + (size_t)t * hidden, *r = residual + (size_t)t * hidden, squares = 0.0f;
            _Pragma("omp simd reduction(+ : squares)")
            for (int i = 0; i < hidden; i++) {
                r[i] += x[i];
                squares += r[i] * r[i];
            }
            const float scale = 1.0f / sqrtf(squares / hidden + 1e-5f);
            for (int i = 0; i < hidden; i++)
                x[i] = r[i] * scale * weight[i];
        }
    })
    *sum = total(input, all);
    return best;
}

static double merge_attn_states_lse(const int *size, double *sum)
{
    const int rows = size[0] * size[1], width = size[2];
    const size_t all = (size_t)rows * width;
    float *pv = numbers(all, 1), *sv = numbers(all, 2), *pl = numbers(rows, 3), *sl = numbers(rows, 4), *out = numbers(all, 5), *lse = numbers(rows, 6);
    BEST_PASS(, {
        _Pragma("omp parallel for")
        for (int row = 0; row < rows; row++) {
            const float most = fmaxf(pl[row], sl[row]), p = expf(pl[row] - most), s = expf(sl[row] - most), both = p + s;
            const float *a = pv + (size_t)row * width, *b = sv + (size_t)row * width;
            float *o = out + (size_t)row * width;
            for (int i = 0; i < width; i++)
                o[i] = a[i] * (p / both) + b[i] * (s / both);
            lse[row] = logf(both) + most;
        }
    })
    *sum = total(out, all) + total(lse, rows);
    return best;
}

static double reduction(const int *size, double *sum)
{
    const size_t n = size[0];
    float *bits = numbers(n, 1);
    unsigned *values = (unsigned *)bits, all = 0;
    for (size_t i = 0; i < n; i++)
        values[i] = (unsigned)(1000.0f * (bits[i] + 1.0f));
    BEST_PASS(all = 0, {
        _Pragma("omp parallel for simd reduction(+ : all)")
        for (size_t i = 0; i < n; i++)
            all += values[i];
    })
    *sum = all;
    return best;
}

static const struct peer peers[] = {
    {"ATAX", atax, {3584}},
    {"BICG", bicg, {3584}},
    {"MVT", mvt, {3584}},
    {"GESUMMV", gesummv, {4096}},
    {"GEMVER", gemver, {3072}},
    {"LU", lu, {640}},
    {"GRAMSCHM", gramschm, {512}},
    {"vectoradd", vectoradd, {4 << 20, 8}},
    {"silu_and_mul", silu_and_mul, {1024, 11008}},
    {"fused_add_rmsnorm", fused_add_rmsnorm, {4096, 4096}},
    {"merge_attn_states_lse", merge_attn_states_lse, {1024, 32, 128}},
    {"reduction", reduction, {1 << 24}},
    {NULL, NULL, {0}},
};

int main(int argc, char **argv) { return peer_main(peers, argc, argv); }
