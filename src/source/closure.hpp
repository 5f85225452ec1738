#pragma once
// The closure of kernels: which items of their text, and of what it includes, they need. By names, not by types: it may
// take one too many, never one too few, and works on text that does not parse. Conditionals are decided by what is
// defined; those that a device decides stay.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/origin.hpp"
#include "source/device_text.hpp"
#include "source/template_kernel.hpp"

namespace hone::source::host {

struct ClosureRequest {
  std::vector<std::string> kernels;
  std::map<std::string, std::string> defines;
  std::vector<std::string> include_folders;              // of -I, as the host gives them
  std::map<std::string, TemplateKernel> instances = {};  // of kernels that are templates, by kernel
  std::set<std::string> wanted;                          // further names, beside those the kernels mention
};

struct Closure {
  std::string text;
  std::vector<OriginPiece> pieces;
  std::set<std::string> mentioned, declared;
  std::set<std::string> asked;                 // names in the conditions that were decided
  std::map<std::string, std::string> assumed;  // defines without which a kernel would not be there
  std::vector<std::string> notes;
};

/// `libraries`: further texts whose declarations come first, for names that the text does not have.
Closure close_over(const DeviceText& text, const std::vector<const DeviceText*>& libraries,
                   const ClosureRequest& request, const Files& application);

/// Defines under which the text itself declares a name that it does not declare now: those of the first place.
std::map<std::string, std::string> defines_that_declare(const DeviceText& text, const std::string& name,
                                                        const std::map<std::string, std::string>& defines);

}  // namespace hone::source::host
