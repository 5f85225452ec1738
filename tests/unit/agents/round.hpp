#pragma once
// A round of a small matrix product, as a proposer sees it.

#include "core/proposer.hpp"

namespace hone::agents::test {

RoundContext matmul_round();

}  // namespace hone::agents::test
