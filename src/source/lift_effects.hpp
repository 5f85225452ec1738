#pragma once
// What a piece of code that was not understood may do, read off its tokens. Errs towards more: a rule that trusts it
// must never be wrong because of it.

#include "ir/tree.hpp"
#include "source/lift_tokens.hpp"

namespace hone::source {

ir::Effects effects_of(const Tokens& tokens, std::size_t first, std::size_t last);

}  // namespace hone::source
