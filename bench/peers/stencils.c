/* Stencils and image filters: the same loops, rows shared out among the cores, columns left to the compiler's vectors. */
#include "peer.h"

static double conv2d(const int *size, double *sum)
{
    const int n = size[0];
    const size_t all = (size_t)n * n;
    float *a = numbers(all, 1), *b = calloc(all, sizeof(float));
    BEST_PASS(, {
        _Pragma("omp parallel for")
        for (int i = 1; i < n - 1; i++) {
            const float *up = a + (size_t)(i - 1) * n, *here = up + n, *down = here + n;
            float *out = b + (size_t)i * n;
            for (int j = 1; j < n - 1; j++)
                out[j] = 0.2f * up[j - 1] - 0.3f * up[j] + 0.4f * up[j + 1] + 0.5f * here[j - 1] + 0.6f * here[j] + 0.7f * here[j + 1]
                       - 0.8f * down[j - 1] - 0.9f * down[j] + 0.1f * down[j + 1];
        }
    })
    *sum = total(b, all);
    return best;
}

static double conv3d(const int *size, double *sum)
{
    const int n = size[0];
    const size_t row = n, plane = row * n, all = plane * n;
    float *in = numbers(all, 1), *out = calloc(all, sizeof(float));
    BEST_PASS(, {
        _Pragma("omp parallel for collapse(2)")
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const float *c = in + i * plane + j * row;
                float *o = out + i * plane + j * row;
                for (int k = 1; k < n - 1; k++) {
                    const float *p = c + k;
                    o[k] = 2.0f * p[-(long)plane - (long)row - 1] - 4.0f * p[plane - row - 1] + 5.0f * p[-(long)plane - 1] - 8.0f * p[plane - 1]
                         + 6.0f * p[-(long)plane + (long)row - 1] - 9.0f * p[plane + row - 1] - 3.0f * p[-(long)row] + 7.0f * p[0] + 10.0f * p[row]
                         + 2.0f * p[-(long)plane - (long)row + 1] - 9.0f * p[plane + row + 1];
                }
            }
    })
    *sum = total(out, all);
    return best;
}

static double jacobi2d(const int *size, double *sum)
{
    const int n = size[0], steps = size[1];
    const size_t all = (size_t)n * n;
    float *first = numbers(all, 1), *a = numbers(all, 1), *b = numbers(all, 2);
    BEST_PASS(memcpy(a, first, all * sizeof(float)), {
        for (int t = 0; t < steps; t++) {
            _Pragma("omp parallel for")
            for (int i = 1; i < n - 1; i++) {
                const float *c = a + (size_t)i * n;
                float *o = b + (size_t)i * n;
                for (int j = 1; j < n - 1; j++)
                    o[j] = 0.2f * (c[j] + c[j - 1] + c[j + 1] + c[j + n] + c[j - n]);
            }
            _Pragma("omp parallel for")
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    a[(size_t)i * n + j] = b[(size_t)i * n + j];
        }
    })
    *sum = total(a, all);
    return best;
}

static double fdtd2d(const int *size, double *sum)
{
    const int nx = size[0], ny = size[1], steps = size[2];
    const size_t all = (size_t)nx * ny;
    float *x0 = numbers(all, 1), *y0 = numbers(all, 2), *z0 = numbers(all, 3), *ex = numbers(all, 1), *ey = numbers(all, 2), *hz = numbers(all, 3);
    BEST_PASS((memcpy(ex, x0, all * sizeof(float)), memcpy(ey, y0, all * sizeof(float)), memcpy(hz, z0, all * sizeof(float))), {
        for (int t = 0; t < steps; t++) {
            _Pragma("omp parallel for")
            for (int i = 0; i < nx; i++)
                for (int j = 0; j < ny; j++) {
                    const size_t at = (size_t)i * ny + j;
                    if (i == 0)
                        ey[at] = (float)t;
                    else
                        ey[at] -= 0.5f * (hz[at] - hz[at - ny]);
                }
            _Pragma("omp parallel for")
            for (int i = 0; i < nx; i++)
                for (int j = 1; j < ny; j++) {
                    const size_t at = (size_t)i * ny + j;
                    ex[at] -= 0.5f * (hz[at] - hz[at - 1]);
                }
            _Pragma("omp parallel for")
            for (int i = 0; i < nx - 1; i++)
                for (int j = 0; j < ny - 1; j++) {
                    const size_t at = (size_t)i * ny + j;
                    hz[at] -= 0.7f * (ex[at + 1] - ex[at] + ey[at + ny] - ey[at]);
                }
        }
    })
    *sum = total(hz, all);
    return best;
}

static double simple_convolution(const int *size, double *sum)
{
    const int width = size[0], height = size[1], side = size[2], half = (side - 1) / 2;
    const size_t all = (size_t)width * height;
    float *in = numbers(all, 1), *mask = numbers((size_t)side * side, 2), *out = numbers(all, 3);
    BEST_PASS(, {
        _Pragma("omp parallel for")
        for (int y = 0; y < height; y++) {
            float *o = out + (size_t)y * width;
            for (int x = 0; x < width; x++)
                o[x] = 0.0f;
            for (int r = 0; r < side; r++) {
                const int row = y + r - half;
                if (row < 0 || row >= height)
                    continue;
                for (int c = 0; c < side; c++) {
                    const int shift = c - half, first = shift < 0 ? -shift : 0, last = shift > 0 ? width - shift : width;
                    const float *from = in + (size_t)row * width + shift;
                    const float weight = mask[r * side + c];
                    for (int x = first; x < last; x++)
                        o[x] += from[x] * weight;
                }
            }
        }
    })
    *sum = total(out, all);
    return best;
}

static const struct peer peers[] = {
    {"2DCONV", conv2d, {4096}},
    {"3DCONV", conv3d, {288}},
    {"JACOBI2D", jacobi2d, {1280, 20}},
    {"FDTD-2D", fdtd2d, {1280, 1280, 10}},
    {"simpleconvolution", simple_convolution, {1600, 1200, 7}},
    {NULL, NULL, {0}},
};

int main(int argc, char **argv) { return peer_main(peers, argc, argv); }
