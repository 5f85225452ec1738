#pragma once
// The tree's dialect of a language, for whoever lifts a text that carries its language.

#include "core/language.hpp"
#include "ir/tree.hpp"

namespace hone::ir {

inline Dialect dialect_of(Language language) {
  switch (language) {
    case Language::OpenCL: return Dialect::OpenCL;
    case Language::Cuda: return Dialect::Cuda;
    case Language::Hip: return Dialect::Hip;
  }
  return Dialect::OpenCL;
}

}  // namespace hone::ir
