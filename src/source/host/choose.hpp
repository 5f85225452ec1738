#pragma once
// Which files of an application to parse, how, and in what order: those that name an API function or a kernel, and
// those that share their headers, up to a number that keeps a scan short.

#include <string>
#include <vector>

#include "core/format.hpp"
#include "source/host/parse_unit.hpp"

namespace hone::host {

struct Chosen {
  std::vector<UnitRequest> units;     // the most telling first
  std::vector<std::string> left_out;  // files that name a launch and are not among them
};

Chosen choose_units(const Files& application, const std::vector<std::string>& kernels, std::size_t most);

}  // namespace hone::host
