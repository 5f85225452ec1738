#include <CL/cl.h>
int main(void) {
  cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc = {0};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 640;
  desc.image_height = 480;
  cl_mem picture = clCreateImage(0, CL_MEM_READ_ONLY, &format, &desc, NULL, NULL);
  cl_sampler sampler = clCreateSampler(0, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, NULL);
  cl_kernel k = clCreateKernel(0, "look", NULL);
  clSetKernelArg(k, 0, sizeof(cl_mem), &picture);
  clSetKernelArg(k, 1, sizeof(cl_sampler), &sampler);
  size_t global[2] = {640, 480};
  clEnqueueNDRangeKernel(0, k, 2, NULL, global, NULL, 0, NULL, NULL);
  return 0;
}
