#pragma once
// The closure of kernels: which items of their text, and of what it includes, they need. By names, not by types: it may
// take one too many, never one too few, and works on text that does not parse.

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/origin.hpp"
#include "source/device_text.hpp"

namespace hone::source::host {

struct Closure {
  std::string text;
  std::vector<OriginPiece> pieces;
  std::set<std::string> mentioned, declared;
};

Result<Closure> close_over(const DeviceText& text, const std::vector<std::string>& kernels, const Files& application);

}  // namespace hone::source::host
