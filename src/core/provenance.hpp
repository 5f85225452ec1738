#pragma once
// How a value got into an extraction or a MEP, and where: what a person needs to know before believing it.

#include <string>

namespace hone {

struct Provenance {
  enum class Kind {
    Seen,      // it stands in the code, or follows from what stands there
    Inferred,  // it follows only if an assumption holds: a branch not decided, a name matched
    Guessed,   // chosen, nothing in the code says so
    Set        // given by the person
  };
  Kind kind = Kind::Guessed;
  std::string place;  // "main.c:57"; empty when there is none
  bool operator==(const Provenance&) const = default;
};

}  // namespace hone
