#pragma once
// The text that the host gives to the compiler, put together of the pieces it is made of: several strings, files, what
// a program computes. In: what was found in the files and what the host reader followed. Out: one text with all places.

#include <deque>
#include <string>
#include <vector>

#include "core/extraction.hpp"
#include "source/device_text.hpp"
#include "source/scan.hpp"

namespace hone::source {

/// Programs made of the text, those that the kernel is taken from first.
std::vector<const ProgramText*> programs_of(const Scan& scan, const host::DeviceText& text, const std::string& kernel);
/// The program's whole text; the given one when it is all there is.
host::DeviceText joined_text(const Scan& scan, const std::vector<const ProgramText*>& programs,
                             const host::DeviceText& text, const Files& application);
/// Another text of the application that declares the name, in the same language: strings near it first, then files.
std::optional<host::DeviceText> text_declaring(const Scan& scan, const std::string& name, const host::DeviceText& from,
                                               const std::deque<host::DeviceText>& used, const Files& application);

}  // namespace hone::source
