#pragma once
// CUDA C++ -> PTX and machine code, by NVRTC. No GPU is needed for it.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "device/device.hpp"

namespace hone::device::cuda {

struct Compiled {
  std::string ptx, cubin;                      // cubin: empty when only PTX was asked for
  std::string log;                             // what the compiler said, its report of resources in it
  std::map<std::string, std::string> lowered;  // symbols of the name expressions
};

/// `architecture`: "sm_86", or "compute_86" for PTX alone. `names`: instances of templates, as C++ writes them.
std::variant<Compiled, BuildLog> compile(const std::string& source, const std::vector<std::string>& options,
                                         const std::string& architecture, const std::vector<std::string>& names);

/// The best of what NVRTC knows for compute capability `major`.`minor`: "sm_86", or PTX for an older one.
std::string architecture_for(int major, int minor);
/// "sm_75, sm_80, ..."
std::vector<int> known_architectures();

}  // namespace hone::device::cuda
