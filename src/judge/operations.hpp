#pragma once
// Operations that mean nothing and happen to work on the device at hand: integer division by zero, shifts too far, an
// index that overflowed, local memory that was read before anybody wrote it. Found by interpreting the candidate's tree
// at a small size; what the interpreter does not know is an Error, and says nothing of the candidate.

#include "ir/lifter.hpp"
#include "judge/race_checker.hpp"

namespace hone::judge {

class InterpretedOperations final : public RaceChecker {
 public:
  /// Both outlive it.
  InterpretedOperations(const ir::Lifter& lifter, const Mep& mep) : lifter_(lifter), mep_(mep) {}
  Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) override;

 private:
  const ir::Lifter& lifter_;
  const Mep& mep_;
};

}  // namespace hone::judge
