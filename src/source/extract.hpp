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

/// E-KERNEL an unknown or ambiguous name; E-HOSTSTEP several kernels between which the host computes. A macro that
/// nobody defines is inferred from its use and said so; what does not build alone in spite of all is said in a note.
Result<Extraction> extract(const Files& application, const ExtractRequest& request,
                           const hone::host::ReadPorts& ports = {});
/// The same with a scan that was made before.
Result<Extraction> extract(const Files& application, const Scan& scanned, const ExtractRequest& request);

}  // namespace hone::source
