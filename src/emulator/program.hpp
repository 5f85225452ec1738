#pragma once
// A module of PTX on an emulated device: its variables in memory, its kernels translated and compiled when they are
// first asked for. Needs a C++ compiler (g++ or c++ on PATH) at run time.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "emulator/grid.hpp"
#include "emulator/ptx/module.hpp"

namespace hone::emulator {

/// A kernel as code of this process.
struct Kernel {
  std::string name;
  void (*function)(HoneThread*) = nullptr;
  std::size_t static_shared = 0, local_bytes = 0, ranges = 0;
  std::vector<std::uint64_t> symbols;
  std::vector<ptx::Parameter> parameters;
  std::size_t parameter_bytes = 0;
};

class Program {
 public:
  /// E-PTX when the text cannot be read.
  /// `watched`: its kernels tell what they touch, so that races are found.
  static Result<std::unique_ptr<Program>> load(std::string ptx, bool watched = false);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  /// E-PTX: there is none, what it does is not emulated, or the compiler said no.
  Result<const Kernel*> kernel(const std::string& name);
  bool has_kernel(const std::string& name) const;
  /// A `__device__` or `__constant__` variable.
  std::optional<Extent> variable(const std::string& name) const;
  /// Whether those bytes lie within one of its variables.
  bool owns(std::uint64_t address, std::size_t bytes) const;
  Launch launch_of(const Kernel& kernel) const;

 private:
  Program() = default;
  void place_variables();
  struct Library;
  std::unique_ptr<ptx::Module> module_;
  bool watched_ = false;
  std::map<std::string, std::vector<std::uint8_t>> storage_;
  std::map<std::string, Extent> variables_;
  std::map<std::string, Kernel> kernels_;
  std::vector<std::unique_ptr<Library>> libraries_;
};

}  // namespace hone::emulator
