#pragma once
// The community's T1 descriptions of a tuning problem. In: text. Out: the Space, and the document with all that is not
// ours.

#include <string>
#include <string_view>
#include <vector>

#include "core/space.hpp"
#include "search/json_values.hpp"

namespace hone::search {

struct T1 {
  Space space;
  Json document;  // as read; empty for a space of our own
};

Result<T1> read_t1(std::string_view text);
/// What was read comes back unchanged; parameters and conditions that changed since are written from the space.
std::string write_t1(const T1& t1);
/// What the format asks for about the kernel besides its space; sizes are expressions, one for each dimension.
struct T1Kernel {
  std::string name, file;
  std::string language = "OpenCL";
  std::vector<std::string> global = {"1"}, local = {"1"};
};
/// A description of a space of our own, enough for another tuner to search it.
T1 make_t1(const T1Kernel& kernel, const Space& space);

}  // namespace hone::search
