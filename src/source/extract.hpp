#pragma once
// Takes kernels out of an application: their definitions and everything these need (types, macros, constants, helpers,
// included files), in source order, with the origin of every byte and what the host says about launching them.

#include <map>
#include <string>
#include <vector>

#include "source/scan.hpp"

namespace hone::source {

struct ExtractRequest {
  std::vector<std::string> kernels;  // several: the program that launches them; none: all that its one program launches
  std::string file;                  // where to look when a name is defined twice
  std::map<std::string, std::string> defines;
};

/// E-KERNEL an unknown or ambiguous name; E-DEFINE a macro nobody defines, with what the host suggests; E-HOSTSTEP
/// several kernels between which the host computes; E-INCLUDE a device header that is not in the folder.
Result<Extraction> extract(const Files& application, const ExtractRequest& request);

}  // namespace hone::source
