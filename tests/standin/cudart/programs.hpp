#pragma once
// What nvcc put into the program: kernels and variables of the device under the host's own addresses for them. In: the
// registrations that run before main. Out: functions and addresses of the emulated device, loaded when first asked for.

#include <cstddef>
#include <cstdint>
#include <string>

namespace standin {

/// Of one `__cudaRegisterFatBinary`; PTX in it, plain or not at all.
struct Image;
Image* add_image(const void* wrapper);
void add_kernel(Image* image, const void* host, const char* name);
void add_variable(Image* image, const void* host, const char* name);
/// A `__managed__` variable: the host reads its address from `slot`.
void add_managed(Image* image, void** slot, const char* name);
/// Addresses of managed variables become known.
void finish(Image* image);

/// 0, or the error the runtime would give; the reason goes to stderr.
int kernel_of(const void* host, void** function);
/// As the device's code calls it; for records of launches.
std::string name_of(const void* function);
/// Tells two texts of a kernel apart.
std::size_t text_hash_of(const void* function);
struct Place {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};
int variable_of(const void* host, Place* place);

}  // namespace standin
