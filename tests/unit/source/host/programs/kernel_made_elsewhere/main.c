#include <CL/cl.h>
#include <pthread.h>
static cl_kernel blend, either;
static cl_command_queue queue;
static cl_program program;
static void *prepare(void *unused) {
  blend = clCreateKernel(program, "blend", NULL);
  either = clCreateKernel(program, unused ? "first" : "second", NULL);
  return NULL;
}
void draw(cl_mem out, int width) {
  size_t global = width;
  clSetKernelArg(blend, 0, sizeof out, &out);
  clSetKernelArg(blend, 1, sizeof width, &width);
  clEnqueueNDRangeKernel(queue, blend, 1, NULL, &global, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, either, 1, NULL, &global, NULL, 0, NULL, NULL);
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prepare, NULL);
  pthread_join(thread, NULL);
  return 0;
}
