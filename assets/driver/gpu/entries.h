/* Behind the kernel's source: program_kernels and program_variables are tables that end with an empty entry. Each call
 * answers 0, or an error that program_error() names. */
#define PROGRAM extern "C" __attribute__((visibility("default")))

static GPU(Event_t) program_events[2];

PROGRAM const char* program_error(int status) { return GPU(GetErrorString)((GPU(Error_t))status); }
PROGRAM int program_devices(int* count) { return (int)GPU(GetDeviceCount)(count); }
PROGRAM int program_device_name(int device, char* name, size_t room) {
  static GPU(DeviceProp_t) properties;
  const int status = (int)GPU(GetDeviceProperties)(&properties, device);
  strncpy(name, properties.name, room - 1);
  return status;
}
PROGRAM int program_open(int device) {
  int status = (int)GPU(SetDevice)(device);
  for (int i = 0; i < 2 && status == 0; ++i) status = (int)GPU(EventCreate)(&program_events[i]);
  return status;
}
PROGRAM int program_allocate(void** memory, size_t bytes) { return (int)GPU(Malloc)(memory, bytes > 0 ? bytes : 1); }
PROGRAM int program_free(void* memory) { return (int)GPU(Free)(memory); }
PROGRAM int program_copy(void* to, const void* from, size_t bytes) {
  return (int)GPU(Memcpy)(to, from, bytes, GPU(MemcpyDefault));
}
PROGRAM int program_begin(void) { return (int)GPU(EventRecord)(program_events[0], 0); }
PROGRAM int program_end(double* milliseconds) {
  float time = 0;
  int status = (int)GPU(EventRecord)(program_events[1], 0);
  if (status == 0) status = (int)GPU(DeviceSynchronize)();
  if (status == 0) status = (int)GPU(EventElapsedTime)(&time, program_events[0], program_events[1]);
  *milliseconds = time;
  return status;
}
PROGRAM int program_wait(void) { return (int)GPU(DeviceSynchronize)(); }

static const program_kernel* program_find(const char* name) {
  for (const program_kernel* one = program_kernels; one->name != NULL; ++one)
    if (strcmp(one->name, name) == 0) return one;
  return NULL;
}
PROGRAM const size_t* program_parameters(const char* name, size_t* count) {
  const program_kernel* kernel = program_find(name);
  *count = kernel == NULL ? 0 : kernel->parameters;
  return kernel == NULL ? NULL : kernel->bytes;
}
PROGRAM int program_variable_at(const char* name, void** address, size_t* bytes) {
  for (const program_variable* one = program_variables; one->name != NULL; ++one)
    if (strcmp(one->name, name) == 0) return one->find(address, bytes);
  return -1;
}
PROGRAM int program_launch(const char* name, const unsigned* grid, const unsigned* block, size_t shared,
                           void** values) {
  const program_kernel* kernel = program_find(name);
#if defined(EMULATED)
  return emulation::run(kernel->function, kernel->call, grid, block, shared, values);
#else
  const size_t unasked = 48 << 10;
  /* What a device refuses, the launch refuses. */
  if (shared > unasked)
    (void)GPU(FuncSetAttribute)(kernel->function, GPU(FuncAttributeMaxDynamicSharedMemorySize), (int)shared);
  return (int)GPU(LaunchKernel)(kernel->function, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]),
                                values, shared, 0);
#endif
}
