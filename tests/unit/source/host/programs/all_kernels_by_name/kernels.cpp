extern const char *const kKernels;
const char *const kKernels = R"(
kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }
)";
