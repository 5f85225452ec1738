#pragma once
// Small questions about host tokens: does a name stand in a declaration, behind a dot, in a lambda that takes it?

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "patch/host_index.hpp"

namespace hone::patch {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// Without brackets around it, casts to cl_kernel, and a wrapper's `()` or `.get()`.
TokenRange stripped(TokenRange range);

/// The statement the name at `at` stands in declares kernels.
bool declares_at(const HostFile& file, std::size_t begin, std::size_t at);
/// The name stands to the right of `=` or inside brackets of a declaration.
bool is_value_of_declaration(const HostFile& file, std::size_t at);
bool follows_a_dot(const HostFile& file, std::size_t i);
/// Where the path that ends in this name begins: the `s` of `s->kernels[2].kernel`.
std::size_t path_begin(const HostFile& file, std::size_t i);
/// `&path` or `type &name = path`: from here on it can be changed under another name.
bool is_aliased(const HostFile& file, std::size_t i);
/// In a lambda of that function which has a parameter of that name.
bool in_lambda_with(const HostFile& file, const HostFunction& function, std::size_t at, const std::string& name);
/// In the head of a `for`.
bool in_for(const HostFile& file, std::size_t i);

/// Where a kernel stands in the braces of an aggregate: `struct job j = {queue, kernel}`. Nothing when nowhere.
std::optional<std::string> kernel_in_braces(const HostIndex& index);

}  // namespace hone::patch
