// The CUDA runtime for whole programs, built by nvcc with a shared runtime, on this processor: the functions programs
// call, as far as they ask for memory, launches, events and facts of the device. Streams are one: everything is done
// when it is asked for. A function that is missing here ends the program by the loader's message, which names it.
//
//   STANDIN_LAUNCHES   a file that gets a line for each launch: its kernel, grid, block, dynamic shared memory and a
//                      hash of its text

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "driver.hpp"
#include "programs.hpp"

namespace {

using namespace standin;

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct Configuration {
  Dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
};

int last_error = kSuccess;
int note(int status) {
  if (status != kSuccess) last_error = status;
  return status;
}
/// After a kernel that failed everything is refused, as on a device.
int live() { return note(cuCtxSynchronize()); }

std::vector<Configuration>& configurations() {
  static std::vector<Configuration> all;
  return all;
}

int allocate(void** out, std::size_t bytes) {
  std::uint64_t address = 0;
  const int status = note(cuMemAlloc_v2(&address, std::max<std::size_t>(bytes, 1)));
  *out = reinterpret_cast<void*>(address);  // NOLINT
  return status;
}
int release(void* pointer) {
  return pointer == nullptr ? live() : note(cuMemFree_v2(reinterpret_cast<std::uint64_t>(pointer)));
}

/// Memory of the device is memory of this process, so a copy is a copy whatever its direction.
int copy(void* to, const void* from, std::size_t bytes) {
  if (const int status = live(); status != kSuccess) return status;
  if (bytes > 0 && (to == nullptr || from == nullptr)) return note(kInvalidValue);
  std::memmove(to, from, bytes);
  return kSuccess;
}
int copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
              std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row)
    if (const int status =
            copy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
        status != kSuccess)
      return status;
  return kSuccess;
}
int fill(void* to, int value, std::size_t bytes) {
  if (const int status = live(); status != kSuccess) return status;
  if (bytes > 0) std::memset(to, value, bytes);
  return kSuccess;
}

int symbol_address(const void* symbol, std::size_t offset, std::size_t bytes, char** out) {
  Place place;
  if (const int status = note(variable_of(symbol, &place)); status != kSuccess) return status;
  if (offset + bytes > place.bytes) return note(kInvalidValue);
  *out = reinterpret_cast<char*>(place.address) + offset;  // NOLINT
  return kSuccess;
}

void record(const void* function, Dim3 grid, Dim3 block, std::size_t shared) {
  const char* path = std::getenv("STANDIN_LAUNCHES");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%s %u,%u,%u %u,%u,%u %zu %zx\n", name_of(function).c_str(), grid.x, grid.y, grid.z, block.x,
               block.y, block.z, shared, text_hash_of(function));
  std::fclose(file);
}

int launch(void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared) {
  const bool empty = grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0;
  if (empty || std::uint64_t{block.x} * block.y * block.z > 1024 || grid.y > 65535 || grid.z > 65535)
    return note(kInvalidConfiguration);
  record(function, grid, block, shared);
  return note(cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, static_cast<unsigned>(shared),
                             nullptr, arguments, nullptr));
}

template <class T>
void put(void* structure, std::size_t offset, T value) {
  std::memcpy(static_cast<char*>(structure) + offset, &value, sizeof value);
}
int attribute_of(int which) {
  int value = 0;
  cuDeviceGetAttribute(&value, which, 0);
  return value;
}

int pitch(void** out, std::size_t* stride, std::size_t width, std::size_t rows) {
  constexpr std::size_t kAlignment = 512;
  *stride = (width + kAlignment - 1) / kAlignment * kAlignment;
  return allocate(out, *stride * rows);
}

int make_event(void** event) { return note(cuEventCreate(event, 0)); }
int make_stream(void** stream) {
  static int one = 0;
  *stream = &one;
  return live();
}

}  // namespace

#define RUNTIME extern "C" __attribute__((visibility("default")))

RUNTIME void** __cudaRegisterFatBinary(void* wrapper) { return reinterpret_cast<void**>(add_image(wrapper)); }
RUNTIME void __cudaRegisterFatBinaryEnd(void** image) { finish(reinterpret_cast<Image*>(image)); }
RUNTIME void __cudaUnregisterFatBinary(void**) {}
RUNTIME char __cudaInitModule(void**) { return 1; }
RUNTIME void __cudaRegisterFunction(void** image, const char* host, char*, const char* name, int, void*, void*, void*,
                                    void*, int*) {
  add_kernel(reinterpret_cast<Image*>(image), host, name);
}
RUNTIME void __cudaRegisterVar(void** image, char* host, char*, const char* name, int, std::size_t, int, int) {
  add_variable(reinterpret_cast<Image*>(image), host, name);
}
RUNTIME void __cudaRegisterManagedVar(void** image, void** slot, char*, const char* name, int, std::size_t, int, int) {
  add_managed(reinterpret_cast<Image*>(image), slot, name);
}

RUNTIME unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared, void* stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
RUNTIME int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return note(kInvalidConfiguration);
  const auto last = configurations().back();
  configurations().pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<void**>(stream) = last.stream;
  return kSuccess;
}
RUNTIME int __cudaGetKernel(void** kernel, const void* host) { return note(kernel_of(host, kernel)); }
RUNTIME int cudaGetKernel(void** kernel, const void* host) { return note(kernel_of(host, kernel)); }
RUNTIME int __cudaLaunchKernel(void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, void*) {
  return launch(kernel, grid, block, arguments, shared);
}
RUNTIME int cudaLaunchKernel(const void* host, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, void*) {
  void* function = nullptr;
  if (const int status = note(kernel_of(host, &function)); status != kSuccess) return status;
  return launch(function, grid, block, arguments, shared);
}
RUNTIME int cudaLaunchCooperativeKernel(const void*, Dim3, Dim3, void**, std::size_t, void*) {
  std::fprintf(stderr, "stand-in: cooperative grid launches are not served\n");
  return note(kNotSupported);
}

RUNTIME int cudaMalloc(void** out, std::size_t bytes) { return allocate(out, bytes); }
RUNTIME int cudaMallocAsync(void** out, std::size_t bytes, void*) { return allocate(out, bytes); }
RUNTIME int cudaMallocManaged(void** out, std::size_t bytes, unsigned) { return allocate(out, bytes); }
RUNTIME int cudaMallocHost(void** out, std::size_t bytes) { return allocate(out, bytes); }
RUNTIME int cudaHostAlloc(void** out, std::size_t bytes, unsigned) { return allocate(out, bytes); }
RUNTIME int cudaMallocPitch(void** out, std::size_t* stride, std::size_t width, std::size_t rows) {
  return pitch(out, stride, width, rows);
}
RUNTIME int cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return live();
}
RUNTIME int cudaFree(void* pointer) { return release(pointer); }
RUNTIME int cudaFreeAsync(void* pointer, void*) { return release(pointer); }
RUNTIME int cudaFreeHost(void* pointer) { return release(pointer); }
RUNTIME int cudaMemGetInfo(std::size_t* available, std::size_t* all) {
  cuDeviceTotalMem_v2(all, 0);
  *available = *all;
  return live();
}
RUNTIME int cudaMemAdvise(const void*, std::size_t, int, std::uint64_t) { return live(); }
RUNTIME int cudaMemPrefetchAsync(const void*, std::size_t, std::uint64_t, unsigned, void*) { return live(); }

RUNTIME int cudaMemcpy(void* to, const void* from, std::size_t bytes, int) { return copy(to, from, bytes); }
RUNTIME int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int, void*) { return copy(to, from, bytes); }
RUNTIME int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t rows, int) {
  return copy_rows(to, to_pitch, from, from_pitch, width, rows);
}
RUNTIME int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t rows, int, void*) {
  return copy_rows(to, to_pitch, from, from_pitch, width, rows);
}
RUNTIME int cudaMemset(void* to, int value, std::size_t bytes) { return fill(to, value, bytes); }
RUNTIME int cudaMemsetAsync(void* to, int value, std::size_t bytes, void*) { return fill(to, value, bytes); }
RUNTIME int cudaMemset2D(void* to, std::size_t stride, int value, std::size_t width, std::size_t rows) {
  int status = kSuccess;
  for (std::size_t row = 0; row < rows && status == kSuccess; ++row)
    status = fill(static_cast<char*>(to) + row * stride, value, width);
  return status;
}
RUNTIME int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int) {
  char* at = nullptr;
  const int status = symbol_address(symbol, offset, bytes, &at);
  return status == kSuccess ? copy(at, from, bytes) : status;
}
RUNTIME int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int,
                                    void*) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, 0);
}
RUNTIME int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int) {
  char* at = nullptr;
  const int status = symbol_address(symbol, offset, bytes, &at);
  return status == kSuccess ? copy(to, at, bytes) : status;
}
RUNTIME int cudaGetSymbolAddress(void** out, const void* symbol) {
  return symbol_address(symbol, 0, 0, reinterpret_cast<char**>(out));
}
RUNTIME int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  Place place;
  const int status = note(variable_of(symbol, &place));
  *bytes = place.bytes;
  return status;
}

RUNTIME int cudaEventCreate(void** event) { return make_event(event); }
RUNTIME int cudaEventCreateWithFlags(void** event, unsigned) { return make_event(event); }
RUNTIME int cudaEventDestroy(void* event) { return note(cuEventDestroy_v2(event)); }
RUNTIME int cudaEventRecord(void* event, void*) { return note(cuEventRecord(event, nullptr)); }
RUNTIME int cudaEventRecordWithFlags(void* event, void*, unsigned) { return note(cuEventRecord(event, nullptr)); }
RUNTIME int cudaEventSynchronize(void*) { return live(); }
RUNTIME int cudaEventQuery(void*) { return live(); }
RUNTIME int cudaEventElapsedTime(float* milliseconds, void* from, void* to) {
  return note(cuEventElapsedTime(milliseconds, from, to));
}
RUNTIME int cudaStreamCreate(void** stream) { return make_stream(stream); }
RUNTIME int cudaStreamCreateWithFlags(void** stream, unsigned) { return make_stream(stream); }
RUNTIME int cudaStreamCreateWithPriority(void** stream, unsigned, int) { return make_stream(stream); }
RUNTIME int cudaStreamDestroy(void*) { return live(); }
RUNTIME int cudaStreamSynchronize(void*) { return live(); }
RUNTIME int cudaStreamQuery(void*) { return live(); }
RUNTIME int cudaStreamWaitEvent(void*, void*, unsigned) { return live(); }
RUNTIME int cudaStreamIsCapturing(void*, int* capturing) {
  *capturing = 0;
  return live();
}
RUNTIME int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return live();
}
RUNTIME int cudaDeviceSynchronize() { return live(); }

RUNTIME int cudaGetLastError() {
  const int status = last_error;
  last_error = cuCtxSynchronize();
  return status != kSuccess ? status : last_error;
}
RUNTIME int cudaPeekAtLastError() { return last_error; }
RUNTIME const char* cudaGetErrorName(int status) {
  const char* text = nullptr;
  if (status == kSuccess) return "cudaSuccess";
  return cuGetErrorName(status, &text) == 0 ? text : "unknown error";
}
RUNTIME const char* cudaGetErrorString(int status) { return cudaGetErrorName(status); }

RUNTIME int cudaGetDevice(int* device) {
  *device = 0;
  return live();
}
RUNTIME int cudaSetDevice(int device) { return device == 0 ? live() : note(101); }
RUNTIME int cudaGetDeviceCount(int* count) {
  *count = 1;
  return live();
}
RUNTIME int cudaDeviceReset() { return kSuccess; }
RUNTIME int cudaDeviceSetLimit(int, std::size_t) { return live(); }
RUNTIME int cudaDeviceSetCacheConfig(int) { return live(); }
RUNTIME int cudaDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute_of(attribute);
  return live();
}
RUNTIME int cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return live();
}
RUNTIME int cudaDriverGetVersion(int* version) {
  *version = 13000;
  return live();
}
RUNTIME int cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return live();
}
/// Offsets are those of CUDA 13; what is not set is zero.
RUNTIME int cudaGetDeviceProperties(void* out, int) {
  constexpr std::size_t kBytes = 1008;
  std::memset(out, 0, kBytes);
  std::size_t memory = 0;
  cuDeviceTotalMem_v2(&memory, 0);
  cuDeviceGetName(static_cast<char*>(out), 256, 0);
  put(out, 288, memory);
  put(out, 296, static_cast<std::size_t>(attribute_of(8)));
  put(out, 304, attribute_of(12));
  put(out, 308, attribute_of(10));
  for (std::size_t d = 0; d < 3; ++d) {
    put(out, 324 + 4 * d, attribute_of(2 + static_cast<int>(d)));
    put(out, 336 + 4 * d, attribute_of(5 + static_cast<int>(d)));
  }
  put(out, 320, attribute_of(1));
  put(out, 352, static_cast<std::size_t>(attribute_of(9)));
  put(out, 360, attribute_of(75));
  put(out, 364, attribute_of(76));
  put(out, 384, attribute_of(16));
  put(out, 392, 1);  // host memory can be mapped
  put(out, 588, 1);  // one address space
  put(out, 596, attribute_of(38));
  put(out, 604, attribute_of(39));
  put(out, 624, static_cast<std::size_t>(attribute_of(81)));
  put(out, 632, attribute_of(12));
  put(out, 636, 1);  // managed memory
  put(out, 656, 1);  // by both at once
  put(out, 672, static_cast<std::size_t>(attribute_of(97)));
  return live();
}

RUNTIME int cudaFuncSetCacheConfig(const void*, int) { return live(); }
RUNTIME int cudaFuncSetAttribute(const void* host, int attribute, int value) {
  void* function = nullptr;
  const int status = note(kernel_of(host, &function));
  return status == kSuccess ? note(cuFuncSetAttribute(function, attribute, value)) : status;
}
RUNTIME int cudaFuncGetAttributes(void* out, const void* host) {
  constexpr std::size_t kBytes = 144;
  std::memset(out, 0, kBytes);
  void* function = nullptr;
  if (const int status = note(kernel_of(host, &function)); status != kSuccess) return status;
  const auto number = [&](int which) {
    int value = 0;
    cuFuncGetAttribute(&value, which, function);
    return value;
  };
  put(out, 0, static_cast<std::size_t>(number(1)));
  put(out, 16, static_cast<std::size_t>(number(3)));
  put(out, 24, number(0));
  put(out, 28, 32);
  put(out, 32, 80);  // libraries of templates choose their code by it
  put(out, 36, 80);
  put(out, 44, number(8));
  return live();
}
RUNTIME int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads,
                                                                   std::size_t shared, unsigned) {
  return note(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, nullptr, threads, shared));
}
RUNTIME int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads, std::size_t shared) {
  return note(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, nullptr, threads, shared));
}
