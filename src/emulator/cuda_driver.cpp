// The CUDA driver's functions as far as Hone and NVRTC ask for them, with kernels that run on this processor.
// hone-worker loads it where kernels are checked without a GPU; tests put it in a driver's place, as libcuda.so.1. Its
// times say nothing of any GPU, and its device is named so.
//
//   CUDA_EMULATOR_MEMORY   bytes the device has; 1 GiB when absent
//   CUDA_EMULATOR_DEVICES  how many devices there are; 1 when absent
//   CUDA_EMULATOR_ORDER    "descending" runs the threads of a block from the last to the first
//   CUDA_EMULATOR_SHARED   what each byte of shared memory holds before somebody writes; 0 when absent
//   CUDA_EMULATOR_WATCH    "1" watches for races and divergent barriers, and prints "emulator: KERNEL: race: ..."
//                          where kernels print

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/program.hpp"

namespace {

using namespace hone::emulator;
using Clock = std::chrono::steady_clock;

// Of cuda.h, by number: the header is not needed to build this.
enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kInvalidPtx = 218,
  kNotFound = 500,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kLaunchFailed = 719,
  kAssert = 710,
  kMisaligned = 716,
  kNotSupported = 801,
};

struct Module {
  std::unique_ptr<Program> program;
};
struct Function {
  Module* module = nullptr;
  std::string name;
  std::size_t dynamic_limit = std::size_t{48} << 10U;
};
struct Event {
  Clock::time_point at;
};

std::size_t number_from(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

/// What a real driver keeps for a context.
struct Device {
  Memory memory{number_from("CUDA_EMULATOR_MEMORY", std::size_t{1} << 30U)};
  Grid grid{memory};
  Result sticky = kSuccess;  // after a kernel that failed nothing else works
  std::vector<std::unique_ptr<Function>> functions;
};
Device& device() {
  static Device one;
  return one;
}
bool initialized = false;

Result result_of(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::Address: return kIllegalAddress;
    case Fault::Kind::Alignment: return kMisaligned;
    case Fault::Kind::Assert: return kAssert;
    default: return kLaunchFailed;
  }
}

constexpr std::size_t kMaxShared = std::size_t{99} << 10U;

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }  // NOLINT

/// A copy to or from what is not allocated is the caller's fault, and told as a real driver does.
bool reachable(std::uint64_t address, std::size_t bytes) {
  return bytes == 0 || device().memory.holding(address, bytes).has_value();
}

std::vector<Module*>& modules() {
  static std::vector<Module*> all;
  return all;
}
bool in_module(std::uint64_t address, std::size_t bytes);

}  // namespace

#define EMULATED extern "C" __attribute__((visibility("default"))) int
#define EMULATOR_STICKY() \
  if (device().sticky != kSuccess) return device().sticky

EMULATED cuInit(unsigned) {
  initialized = true;
  return number_from("CUDA_EMULATOR_DEVICES", 1) == 0 ? kNoDevice : kSuccess;
}
EMULATED cuDriverGetVersion(int* version) {
  *version = 13000;
  return kSuccess;
}
EMULATED cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return kNotFound;
}
EMULATED cuDeviceGetCount(int* count) {
  if (!initialized) return kNotInitialized;
  *count = static_cast<int>(number_from("CUDA_EMULATOR_DEVICES", 1));
  return kSuccess;
}
EMULATED cuDeviceGet(int* out, int ordinal) {
  *out = ordinal;
  return ordinal < static_cast<int>(number_from("CUDA_EMULATOR_DEVICES", 1)) ? kSuccess : kInvalidDevice;
}
EMULATED cuDeviceGetName(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "emulator on this processor (no GPU)");
  return kSuccess;
}
EMULATED cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = device().memory.capacity();
  return kSuccess;
}
EMULATED cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> known = {
      {1, 1024},        // threads of a block
      {2, 1024},        // in x
      {3, 1024},        // in y
      {4, 64},          // in z
      {5, 2147483647},  // blocks in x
      {6, 65535},       // in y
      {7, 65535},       // in z
      {8, 49152},       // shared memory of a block
      {9, 65536},       // constant memory
      {10, 32},         // lanes
      {12, 65536},      // registers of a block
      {13, 1000000},    // clock
      {16, 4},          // multiprocessors
      {38, 4194304},    // second cache
      {39, 1536},       // threads of a multiprocessor
      {75, 8},          // compute capability
      {76, 6},
      {81, 102400},  // shared memory of a multiprocessor
      {97, static_cast<int>(kMaxShared)},
  };
  const auto found = known.find(attribute);
  *value = found == known.end() ? 0 : found->second;
  return kSuccess;
}
EMULATED cuDevicePrimaryCtxRetain(void** context, int) {
  if (!initialized) return kNotInitialized;
  *context = &device();
  return kSuccess;
}
EMULATED cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }
EMULATED cuCtxSetCurrent(void*) { return kSuccess; }
EMULATED cuCtxSynchronize() { return device().sticky; }
EMULATED cuStreamCreate(void** stream, unsigned) {
  EMULATOR_STICKY();
  *stream = &device();
  return kSuccess;
}
EMULATED cuStreamDestroy_v2(void*) { return device().sticky; }
EMULATED cuStreamSynchronize(void*) { return device().sticky; }

EMULATED cuGetErrorName(int error, const char** text) {
  static const std::map<int, const char*> names = {{kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
                                                   {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED"},
                                                   {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
                                                   {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},
                                                   {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
                                                   {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
                                                   {kNotFound, "CUDA_ERROR_NOT_FOUND"},
                                                   {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                   {kOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
                                                   {kAssert, "CUDA_ERROR_ASSERT"},
                                                   {kMisaligned, "CUDA_ERROR_MISALIGNED_ADDRESS"},
                                                   {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
                                                   {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"}};
  const auto found = names.find(error);
  *text = found == names.end() ? nullptr : found->second;
  return found == names.end() ? kInvalidValue : kSuccess;
}
EMULATED cuGetErrorString(int error, const char** text) { return cuGetErrorName(error, text); }

EMULATED cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  EMULATOR_STICKY();
  if (bytes == 0) return kInvalidValue;
  *address = device().memory.allocate(bytes);
  return *address == 0 ? kOutOfMemory : kSuccess;
}
EMULATED cuMemFree_v2(std::uint64_t address) {
  EMULATOR_STICKY();
  return device().memory.release(address) ? kSuccess : kInvalidValue;
}
EMULATED cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  EMULATOR_STICKY();
  if (!reachable(to, bytes) && !in_module(to, bytes)) return kInvalidValue;
  std::memcpy(at(to), from, bytes);
  return kSuccess;
}
EMULATED cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  EMULATOR_STICKY();
  if (!reachable(from, bytes) && !in_module(from, bytes)) return kInvalidValue;
  std::memcpy(to, at(from), bytes);
  return kSuccess;
}
EMULATED cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  EMULATOR_STICKY();
  if (!(reachable(to, bytes) || in_module(to, bytes)) || !(reachable(from, bytes) || in_module(from, bytes)))
    return kInvalidValue;
  std::memcpy(at(to), at(from), bytes);
  return kSuccess;
}

EMULATED cuModuleLoadDataEx(void** out, const void* image, unsigned, int*, void**) {
  EMULATOR_STICKY();
  const auto* text = static_cast<const char*>(image);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return kInvalidImage;  // code for a GPU
  auto program = Program::load(text, number_from("CUDA_EMULATOR_WATCH", 0) != 0);
  if (!program) {
    std::fprintf(stderr, "emulator: %s\n", program.error().text().c_str());
    return kInvalidPtx;
  }
  auto* module = new Module{std::move(*program)};
  modules().push_back(module);
  *out = module;
  return kSuccess;
}
EMULATED cuModuleUnload(void* module) {
  std::erase(modules(), static_cast<Module*>(module));
  delete static_cast<Module*>(module);
  return device().sticky;
}
EMULATED cuModuleGetFunction(void** out, void* module, const char* name) {
  EMULATOR_STICKY();
  auto* owner = static_cast<Module*>(module);
  if (!owner->program->has_kernel(name)) return kNotFound;
  device().functions.push_back(std::make_unique<Function>(Function{owner, name}));
  *out = device().functions.back().get();
  return kSuccess;
}
EMULATED cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
  EMULATOR_STICKY();
  const auto found = static_cast<Module*>(module)->program->variable(name);
  if (!found) return kNotFound;
  if (address != nullptr) *address = found->begin;
  if (bytes != nullptr) *bytes = found->end - found->begin;
  return kSuccess;
}
EMULATED cuFuncGetAttribute(int* value, int attribute, void* function) {
  EMULATOR_STICKY();
  const auto* one = static_cast<Function*>(function);
  *value = 0;
  if (attribute == 0) *value = 1024;  // threads of a block
  if (attribute == 8) *value = static_cast<int>(one->dynamic_limit);
  if (attribute != 1 && attribute != 3) return kSuccess;
  const auto kernel = one->module->program->kernel(one->name);
  if (!kernel) {
    std::fprintf(stderr, "emulator: %s\n", kernel.error().text().c_str());
    return kSuccess;
  }
  *value = static_cast<int>(attribute == 1 ? (*kernel)->static_shared : (*kernel)->local_bytes);
  return kSuccess;
}
EMULATED cuFuncSetAttribute(void* function, int attribute, int value) {
  EMULATOR_STICKY();
  if (attribute != 8) return kSuccess;
  if (static_cast<std::size_t>(value) > kMaxShared) return kInvalidValue;
  static_cast<Function*>(function)->dynamic_limit = static_cast<std::size_t>(value);
  return kSuccess;
}
#ifndef EMULATOR_OLD
EMULATED cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
  *blocks = threads > 0 ? std::max(1, 1536 / threads) : 0;
  return kSuccess;
}
#endif

EMULATED cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, void*, void** parameters, void**) {
  EMULATOR_STICKY();
  auto* one = static_cast<Function*>(function);
  if (gx == 0 || gy == 0 || gz == 0 || bx == 0 || by == 0 || bz == 0 || gy > 65535 || gz > 65535) return kInvalidValue;
  if (std::uint64_t{bx} * by * bz > 1024 || bz > 64) return kInvalidValue;
  if (shared > one->dynamic_limit) return kInvalidValue;
  const auto kernel = one->module->program->kernel(one->name);
  if (!kernel) {
    std::fprintf(stderr, "emulator: %s\n", kernel.error().text().c_str());
    return kNotSupported;
  }
  auto launch = one->module->program->launch_of(**kernel);
  launch.grid = {gx, gy, gz};
  launch.block = {bx, by, bz};
  launch.dynamic_shared = shared;
  const char* order = std::getenv("CUDA_EMULATOR_ORDER");
  if (order != nullptr && std::string(order) == "descending") launch.order = Order::Descending;
  launch.unwritten = static_cast<std::uint8_t>(number_from("CUDA_EMULATOR_SHARED", 0));
  launch.params.resize((*kernel)->parameter_bytes);
  for (std::size_t i = 0; i < (*kernel)->parameters.size(); ++i) {
    const auto& parameter = (*kernel)->parameters[i];
    std::memcpy(launch.params.data() + parameter.offset, parameters[i], parameter.bytes);
  }
  // As on a device: the launch is taken, and what goes wrong is told by whatever is asked next.
  if (const auto fault = device().grid.run(launch)) {
    std::fprintf(stderr, "emulator: %s: %s\n", one->name.c_str(), fault->words.c_str());
    device().sticky = result_of(*fault);
  }
  if (launch.watched && device().grid.finding()) {
    std::printf("emulator: %s: %s\n", one->name.c_str(), device().grid.finding()->c_str());
    std::fflush(stdout);
  }
  return kSuccess;
}

EMULATED cuEventCreate(void** event, unsigned) {
  EMULATOR_STICKY();
  *event = new Event{};
  return kSuccess;
}
EMULATED cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return kSuccess;
}
EMULATED cuEventRecord(void* event, void*) {
  EMULATOR_STICKY();
  static_cast<Event*>(event)->at = Clock::now();
  return kSuccess;
}
EMULATED cuEventSynchronize(void*) { return device().sticky; }
EMULATED cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  EMULATOR_STICKY();
  *milliseconds =
      std::chrono::duration<float, std::milli>(static_cast<Event*>(to)->at - static_cast<Event*>(from)->at).count();
  return kSuccess;
}

namespace {
bool in_module(std::uint64_t address, std::size_t bytes) {
  return std::ranges::any_of(modules(), [&](const Module* module) { return module->program->owns(address, bytes); });
}
}  // namespace
