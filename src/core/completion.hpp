#pragma once
// What somebody proposes where the code does not say how a kernel is called: values, macros, extents, contents,
// launches, declarations. Plain values; whoever uses them labels them as guesses of that somebody.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expression.hpp"

namespace hone {

struct ProposedLaunch {
  std::string kernel;
  std::vector<Expression> global, local;        // local: empty for the runtime's choice
  std::map<std::string, Expression> arguments;  // by name: a scalar, a buffer's name, bytes of local memory
  std::string loop;                             // the variable of the loop it is in; empty: none
  Expression begin, end;                        // of that loop
  bool operator==(const ProposedLaunch&) const = default;
};

struct Completion {
  std::string rationale;
  std::map<std::string, Value> set;            // sizes and other scalars
  std::map<std::string, std::string> defines;  // macros of the build
  std::map<std::string, Expression> bytes;     // of buffers
  std::map<std::string, std::string> fills;    // generators, by buffer
  std::vector<ProposedLaunch> launches;        // in order; those of one loop beside each other
  std::string stubs;                           // declarations before the kernel's text
  bool operator==(const Completion&) const = default;
};

}  // namespace hone
