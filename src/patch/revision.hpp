#pragma once
// What the winner's text changed, by declarations: the part of splicing that needs no files.

#include <set>
#include <string>
#include <vector>

#include "patch/chunks.hpp"

namespace hone::patch {

/// A declaration to put into the application, under its final name.
struct Addition {
  std::string name;  // may be empty: a pragma, an #if group
  std::string text;  // with the comments above it
  bool directive = false;
};
struct ChangedKernel {
  std::string name;
  Chunk before;      // in K(0)'s text
  std::string text;  // of the new definition
};
struct Revision {
  std::vector<ChangedKernel> kernels;
  std::vector<Addition> additions;  // in the winner's order
  std::vector<std::string> notes;
  std::vector<std::string> unknown_kernels;  // kernels of the winner that K(0) does not have
};

/// `taken` are names the application's text already uses: what is new must not collide with them.
Revision revise(const std::string& original, const std::string& winner, const std::set<std::string>& taken);

/// Additions that a text uses, by name and transitively; those without a name always.
std::vector<Addition> needed_by(const std::string& text, const std::vector<Addition>& additions);

/// Every identifier of a text, those in directives included.
std::set<std::string> names_in(std::string_view text);

}  // namespace hone::patch
