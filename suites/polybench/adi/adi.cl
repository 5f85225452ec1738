/* One step of an alternating-direction sweep over n x n arrays: along the rows, then along the columns. A line a work-item. */
__kernel void adi_rows_forward(__global const float *a, __global float *b, __global float *x, const int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        for (int j = 1; j < n; j++) {
            x[i * n + j] = x[i * n + j] - x[i * n + (j - 1)] * a[i * n + j] / b[i * n + (j - 1)];
            b[i * n + j] = b[i * n + j] - a[i * n + j] * a[i * n + j] / b[i * n + (j - 1)];
        }
    }
}

__kernel void adi_rows_last(__global const float *b, __global float *x, const int n)
{
    const int i = get_global_id(0);
    if (i < n)
        x[i * n + (n - 1)] = x[i * n + (n - 1)] / b[i * n + (n - 1)];
}

__kernel void adi_rows_backward(__global const float *a, __global const float *b, __global float *x, const int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        for (int j = n - 2; j > 0; j--)
            x[i * n + j] = (x[i * n + j] - x[i * n + (j - 1)] * a[i * n + (j - 1)]) / b[i * n + (j - 1)];
    }
}

__kernel void adi_columns_forward(__global const float *a, __global float *b, __global float *x, const int n)
{
    const int j = get_global_id(0);
    if (j < n) {
        for (int i = 1; i < n; i++) {
            x[i * n + j] = x[i * n + j] - x[(i - 1) * n + j] * a[i * n + j] / b[(i - 1) * n + j];
            b[i * n + j] = b[i * n + j] - a[i * n + j] * a[i * n + j] / b[(i - 1) * n + j];
        }
    }
}

__kernel void adi_columns_last(__global const float *b, __global float *x, const int n)
{
    const int j = get_global_id(0);
    if (j < n)
        x[(n - 1) * n + j] = x[(n - 1) * n + j] / b[(n - 1) * n + j];
}

__kernel void adi_columns_backward(__global const float *a, __global const float *b, __global float *x, const int n)
{
    const int j = get_global_id(0);
    if (j < n) {
        for (int i = n - 2; i > 0; i--)
            x[i * n + j] = (x[i * n + j] - x[(i - 1) * n + j] * a[(i - 1) * n + j]) / b[(i - 1) * n + j];
    }
}
