#pragma once
// The functor classes of OpenCL's C++ bindings in host files, and the names that an application gives them.

#include <cstddef>
#include <set>
#include <string>

#include "patch/host_index.hpp"

namespace hone::patch {

/// The token behind a type and its template arguments.
std::size_t behind_type(const HostFile& file, std::size_t i);

/// `KernelFunctor`, `make_kernel` and what the application calls them.
std::set<std::string, std::less<>> functor_types(const HostIndex& index);

/// Does the class at `i` only get another name there, or is that the name that it gets?
bool names_functor_type(const HostFile& file, std::size_t i);

}  // namespace hone::patch
