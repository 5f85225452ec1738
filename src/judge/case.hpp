#pragma once
// One problem a variant is tried on, and the name under which a failure on it is reported.

#include "judge/judge.hpp"

namespace hone::judge {

struct Judge::Case : Setting {
  std::optional<Defence> defence;  // what this case is there for; none: it is the plain comparison of outputs
  std::size_t repeats = 1;
  bool inputs = true;  // whether those are compared too: a screening does it on its smallest workload

  /// The defence of the case, unless it is the plain one: then the finer name fits better.
  std::string label(std::string_view finer) const { return std::string(defence ? name_of(*defence) : finer); }
  bool tells_values() const { return workload->role != Role::HeldOut; }
  /// For messages; the name of a drawn size is the size itself.
  std::string where() const { return tells_values() ? workload->name : "a held-out workload"; }
};

}  // namespace hone::judge
