#pragma once
// `#if` lines of device code, decided without a compiler: by the macros that are known at that point. A name that
// nothing defines is undefined, as the preprocessor has it; names that depend on the device are not decided here.

#include <optional>
#include <string>
#include <string_view>

#include "source/macros.hpp"

namespace hone::source::host {

/// Names whose meaning the device or its compiler gives: cl_khr_fp64, __OPENCL_VERSION__, ...
bool is_device_name(std::string_view name);

class Conditions {
 public:
  explicit Conditions(Macros macros) : macros_(std::move(macros)) {}
  void define(const Macro& macro) { macros_.insert_or_assign(macro.name, macro); }
  void undefine(const std::string& name) { macros_.erase(name); }
  bool defined(std::string_view name) const { return macros_.contains(name); }
  const Macros& macros() const { return macros_; }
  /// Of "#if ...", "#ifdef ...", "#elif ..."; nothing when a device decides. `usual`: as an ordinary device has it.
  std::optional<bool> holds(std::string_view directive, bool usual) const;

 private:
  Macros macros_;
};

}  // namespace hone::source::host
