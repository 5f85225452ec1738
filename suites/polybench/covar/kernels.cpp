// data holds n samples of m variables, a sample a row.
extern const char* const covar_source;
const char* const covar_source = R"(
__kernel void covar_mean(__global const float *data, __global float *mean, const int m, const int n)
{
    const int j = get_global_id(0);
    if (j < m) {
        mean[j] = 0.0f;
        for (int i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= n;
    }
}

__kernel void covar_center(__global float *data, __global const float *mean, const int m, const int n)
{
    const int j = get_global_id(0);
    if (j < m)
        for (int i = 0; i < n; i++)
            data[i * m + j] -= mean[j];
}

__kernel void covar_matrix(__global const float *data, __global float *cov, const int m, const int n)
{
    const int j1 = get_global_id(0);
    if (j1 < m) {
        for (int j2 = j1; j2 < m; j2++) {
            float sum = 0.0f;
            for (int i = 0; i < n; i++)
                sum += data[i * m + j1] * data[i * m + j2];
            sum /= n - 1.0f;
            cov[j1 * m + j2] = sum;
            cov[j2 * m + j1] = sum;
        }
    }
}
)";
