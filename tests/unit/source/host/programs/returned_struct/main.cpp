#include <CL/cl.h>
#include <cstdlib>
#include <vector>
struct State {
  std::vector<float> values, weights;
};
static State made(int n) {
  State state;
  state.values.resize(4 * n);
  state.weights.resize(n);
  return state;
}
static void make(int n, State& left, State& right) {
  left = made(n);
  right = left;
}
static cl_mem upload(cl_context context, const std::vector<float>& values) {
  return clCreateBuffer(context, CL_MEM_READ_ONLY, values.size() * sizeof(float), nullptr, nullptr);
}
int main(int argc, char** argv) {
  int n = 1024;
  if (argc > 1) n = std::atoi(argv[1]);
  State left, right;
  make(n, left, right);
  cl_context context = nullptr;
  cl_mem a = upload(context, left.values), b = upload(context, right.weights);
  cl_kernel k = clCreateKernel(nullptr, "merge", nullptr);
  clSetKernelArg(k, 0, sizeof a, &a);
  clSetKernelArg(k, 1, sizeof b, &b);
  size_t global = n;
  clEnqueueNDRangeKernel(nullptr, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  return 0;
}
