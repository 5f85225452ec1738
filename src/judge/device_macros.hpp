#pragma once
// What the preprocessor of the device says, told to those who watch a candidate elsewhere. A source that asks for
// macros it has not defined (`#ifdef __x86_64__`, `#if __OPENCL_VERSION__ >= 200`) is one program on the device and may
// be another under a checker; so the device is asked for them first, and the checker is given its answers.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/template.hpp"

namespace hone::judge {

/// Names in the conditions of `variant` that neither its text nor its options define and that `original` does not ask
/// for.
std::vector<std::string> asked_macros(const Variant& variant, std::string_view original);

inline constexpr std::string_view macro_probe_kernel = "hone_macros";
/// A kernel that writes two ints for each name: whether it is defined, and its value. `valued`: false where some are no
/// numbers.
std::string macro_probe(const std::vector<std::string>& names, bool valued);

/// The source behind definitions as the device has them. `told`: what the probe wrote.
std::string with_macros(const std::string& source, const std::vector<std::string>& names,
                        const std::vector<std::int32_t>& told);

}  // namespace hone::judge
