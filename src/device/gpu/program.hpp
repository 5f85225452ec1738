#pragma once
// One built program: its module on the device, its kernels and variables by the names the source has, and launches.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/code.hpp"
#include "device/gpu/data.hpp"
#include "device/gpu/driver.hpp"

namespace hone::device::gpu {

class GpuProgram {
 public:
  static std::variant<std::unique_ptr<GpuProgram>, BuildLog> build(const Driver& driver, const Compile& compile,
                                                                   const std::string& source,
                                                                   const std::vector<std::string>& options);
  GpuProgram(const GpuProgram&) = delete;
  GpuProgram& operator=(const GpuProgram&) = delete;
  ~GpuProgram();

  std::vector<KernelResources> resources() const;
  /// Everything about one launch that can be known before it is made.
  struct Prepared {
    Function function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    unsigned shared = 0;
    std::vector<std::vector<std::uint8_t>> parameters;
    struct Variable {  // of the module, filled from a buffer before the launch and copied back behind the pass
      Address address = 0;
      Data::Place buffer;
    };
    std::vector<Variable> variables;
  };
  /// Buffers behind the kernel's own parameters are variables of the module of that name; local memory is dynamic
  /// shared memory. E-LAUNCH says what does not fit.
  Result<Prepared> prepare(const ConcreteLaunch& launch, const Data& data);

 private:
  struct Kernel {
    Function function = nullptr;
    Entry entry;
    int most_threads = 1024;
    std::size_t static_shared = 0, dynamic_allowed = 0;
  };
  GpuProgram(const Driver& driver, Compile compile) : driver_(driver), compile_(std::move(compile)) {}
  Status load(const std::vector<std::string>& images);
  void add_kernels(Code code);
  std::optional<Kernel> loaded(Entry entry) const;
  int attribute(Function function, int which) const;
  /// Also an instance of a template that nobody asked for yet: then it is compiled now.
  Result<Kernel*> kernel(const std::string& name);
  hone::Status bind(const ConcreteLaunch& launch, const Data& data, const Kernel& kernel, Prepared& out) const;
  hone::Status allow_shared(Kernel& kernel, std::size_t bytes) const;
  Result<Prepared::Variable> variable(const std::string& name, const Data& data) const;

  const Driver& driver_;
  Compile compile_;
  std::string source_;
  std::vector<std::string> options_;
  std::vector<Module> modules_;  // the first, and one for each instance that came later
  std::map<std::string, Kernel> kernels_;
  std::map<std::string, Address> variables_;
  std::map<std::string, std::size_t> variable_bytes_;
};

}  // namespace hone::device::gpu
