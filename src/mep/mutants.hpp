#pragma once
// How well does a MEP test its kernel? Mutants tell: small faults put into K(0), all of them into one program that an
// extra scalar switches, so that they cost one build. A workload on which a mutant computes what K(0) does exercises
// nothing there.
//
//   a[i + 1]   -> a[i + 1 + (hone_mutant == 7)]          index off by one
//   i < n      -> i < n - (hone_mutant == 8)             the last element is left out
//   x = y;     -> if (hone_mutant != 9) x = y;           a statement is dropped

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "ir/unit.hpp"

namespace hone::mep {

inline constexpr const char* kMutantScalar = "hone_mutant";

struct Mutant {
  int number = 0;  // what the scalar is set to; 0 is K(0)
  std::size_t line = 0;
  std::string what;  // "index off by one: a[i]"
};

struct Mutated {
  Mep mep;  // takes the scalar as an argument of every kernel, a scalar of every workload
  std::vector<Mutant> mutants;
};

/// At most `most` mutants, spread over all that could be made. E-COMPLETE when the kernel has no place for one.
Result<Mutated> mutated(const Mep& mep, const ir::Unit& unit, std::size_t most);

}  // namespace hone::mep
