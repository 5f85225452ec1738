#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 4096;
    if (argc > 1)
        n = atoi(argv[1]);
    long wrong = 0;
    cl_int status;
    const int ni = n, nj = n, rounds = 3;
    static const float w[9] = {0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.1f};
    float *in = random_values(ni * nj, 1), *out = unset(ni * nj);
    struct host h = host_open("2dconv.cl");
    cl_mem in_memory = upload(&h, in, ni * nj), out_memory = upload(&h, out, ni * nj);
    cl_kernel conv = clCreateKernel(h.program, "conv2d", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(conv, 0, sizeof(cl_mem), &in_memory);
    clSetKernelArg(conv, 1, sizeof(cl_mem), &out_memory);
    clSetKernelArg(conv, 2, sizeof(int), &ni);
    clSetKernelArg(conv, 3, sizeof(int), &nj);
    for (int t = 0; t < rounds; t++)
        launch_2d(&h, conv, nj, ni);
    download(&h, out_memory, out, ni * nj);
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double e = 0;
            if (i == 0 || j == 0 || i == ni - 1 || j == nj - 1) { /* the border stays as it was */
                wrong += !isnan(out[i * nj + j]);
                continue;
            }
            for (int k = 0; k < 9; k++)
                e += (double)w[k] * in[(i + k / 3 - 1) * nj + j + k % 3 - 1];
            wrong += !(fabs(e - out[i * nj + j]) <= 1e-5);
        }
    return report(&h, wrong);
}
