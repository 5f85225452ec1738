#pragma once
// What follows from what: a small prover over integers. In: facts "p >= 0" and a goal "q >= 0". Products of symbols are
// not affine; each is taken as one more unknown, so an answer of yes is always right and a no may only mean "not seen".

#include <vector>

#include "affine/polynomial.hpp"

namespace hone::affine {

/// Facts known to hold, each as a polynomial that is not negative.
using Constraints = std::vector<Polynomial>;

/// Whether every integer point that satisfies `facts` has goal >= 0.
bool follows(const Constraints& facts, const Polynomial& goal);
/// Whether no integer point satisfies all of them.
bool impossible(const Constraints& facts);

}  // namespace hone::affine
