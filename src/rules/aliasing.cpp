#include "rules/aliasing.hpp"

namespace hone::rules {
using namespace ir;

bool never_same(const std::string& a, const std::string& b, const Symbols& symbols, const LaunchFacts& facts) {
  const Type ta = symbols.type_of(a), tb = symbols.type_of(b);
  // A pointer that does not say where it points may point anywhere.
  const auto says = [](const Type& t) {
    return t.pointee && t.pointee->space != AddressSpace::Private && t.pointee->space != AddressSpace::Generic;
  };
  if (tb.is_array() || (says(ta) && says(tb) && tb.pointee->space != ta.pointee->space)) return true;
  return ta.is_restrict || tb.is_restrict || facts.distinct(a, b);
}

}  // namespace hone::rules
