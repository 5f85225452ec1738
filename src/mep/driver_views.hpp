#pragma once
// Which scalars of an output are compared. A plain buffer has one view; a struct has one for each field, so that its
// padding is never looked at and each field is held to the rule of its own type.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/language.hpp"
#include "core/mep.hpp"

namespace hone::mep {

struct OutputView {
  std::string name;    // "C", or "particles.position" for a field
  std::string source;  // the buffer or image
  ElementType scalar;  // one lane
  std::size_t offset = 0, stride = 0, lanes = 1;

  std::size_t scalars(std::size_t bytes) const { return bytes / stride * lanes; }
  std::size_t at(std::size_t i) const { return i / lanes * stride + offset + i % lanes * scalar.scalar_bytes; }
};

/// Of a buffer or an image of the Mep; E-TYPE or E-IMAGE when its type is not known.
Result<std::vector<OutputView>> views_of(const Mep& mep, const std::string& output);

}  // namespace hone::mep
