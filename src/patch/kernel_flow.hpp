#pragma once
// Which kernels can pass at a launch, over the whole tree. In: the host files. Out: for every enqueue the names of the
// kernels it can be given, followed backwards through variables, parameters and their callers, members and small
// makers; or why that is not known. Never a guess: an address taken, a macro, a function pointer, a name made at run
// time end it.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "core/origin.hpp"

namespace hone::patch {

struct PassingKernels {
  std::string file;
  ByteRange call;      // from the name of the function to the closing bracket
  std::string place;   // "common/host.h:74"
  bool known = false;  // `kernels` are all there can be
  std::set<std::string> kernels;
  std::string why;  // it is not known
  std::optional<std::set<std::string>> made_by_program =
      std::nullopt;  // then: all that the program makes, where that is known
};

/// Every launch of OpenCL kernels in the tree, also those that stand in macros.
std::vector<PassingKernels> launches_in(const Files& files);

/// Places that launch a CUDA or HIP kernel by its own name with `<<<>>>` or a launching function, and those where its
/// name goes elsewhere.
struct ChevronUses {
  std::vector<PassingKernels> launches;
  std::string elsewhere;  // "main.cu:12"; empty when nowhere
};
ChevronUses chevrons_in(const Files& files, const std::string& kernel);

/// Definitions of a kernel of that name, in files and in strings: "a.cl:3".
std::vector<std::string> definitions_of(const Files& files, const std::string& kernel);

}  // namespace hone::patch
