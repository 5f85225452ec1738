#pragma once
// Buffers whose values decide where the kernel reaches: subscripts, row offsets, counts, permutations. Found in the
// affine view: a loaded integer stands in the index of another access, or bounds a counter that does.

#include <map>
#include <string>
#include <vector>

#include "affine/view.hpp"

namespace hone::mep {

struct IndexUse {
  enum class How {
    Subscript,  // b[a[i]]
    Begin,      // for (k = a[i]; ...) b[k]
    End         // for (...; k < a[i]; ...) b[k]
  };
  How how = How::Subscript;
  std::string target;     // the array that is reached
  Expression factor;      // elements of it for one step of the value
  Expression rest;        // elements it needs beside: the value may reach (extent - rest) // factor
  bool scatters = false;  // writes there without an atomic: equal values would race
  bool operator==(const IndexUse&) const = default;
};

/// By where the value was loaded from: an array, or "array.field" of structs.
std::map<std::string, std::vector<IndexUse>> index_uses(const affine::View& view);

/// Arrays that are written at a place an atomic operation gave out: in which order is the device's business.
std::vector<std::string> appended_to(const affine::View& view);

}  // namespace hone::mep
