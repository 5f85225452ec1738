#pragma once
// A kernel that is a C++ template, made one that a device can be asked for: which instance the application launches, as
// names with values. In the text that is taken out, the names become macros around the kernel and the template's header
// stays behind, so that the body goes back into the template with its own words.

#include <string>
#include <string_view>
#include <vector>

#include "core/format.hpp"
#include "core/origin.hpp"
#include "source/items.hpp"

namespace hone::source {

struct TemplateParameter {
  std::string name;
  std::string value;      // of the instance
  std::string otherwise;  // the template's own default; empty when it has none
  bool is_type = false;
  bool guessed = false;
};

struct TemplateKernel {
  ByteRange header;  // "template <...>", with the space behind it
  std::vector<TemplateParameter> parameters;
  std::string place;  // of the launch that names the instance; empty when none does
};

/// Nothing has a value yet. No parameters: the item is no template.
TemplateKernel template_header(std::string_view text, ByteRange item);

/// The instance that is launched: by the launch's own words `kernel<float, 256>`, whose names are looked up in the
/// application; else the template's default; else a guess: float, and the block's size for a number.
TemplateKernel instance_of(const std::string& kernel, TemplateKernel of, const Files& application,
                           const std::string& near, const std::vector<std::int64_t>& local);

}  // namespace hone::source
