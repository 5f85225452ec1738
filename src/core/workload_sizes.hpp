#pragma once
// Sizes of workloads beside those that were tuned on. Which workloads are no other sizes at all, and one that nobody
// can have prepared for: drawn from the contract's domain once a candidate is frozen.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"

namespace hone {

/// Workloads that have the scalars of the tune workload: they differ in contents only.
std::vector<std::string> copies_of_tune(const Mep& mep);

/// Integer scalars that a size, an extent, a loop or the contract is made of.
std::vector<std::string> size_scalars(const Mep& mep);

/// What the sizes of the workloads are: "n from 33 to 4096", "m 16".
std::vector<std::string> sizes_in_words(const Mep& mep);
/// Within the contract, every extent and launch positive, work-groups dividing what is launched.
bool is_allowed(const Mep& mep, const Workload& workload);

/// A workload with every size drawn anew, at most as large as the tuned one. Within the contract; work-groups divide;
/// sizes that are equal in every workload stay equal. Nothing when the domain has no other point.
std::optional<Workload> drawn_workload(const Mep& mep, std::uint64_t seed);

}  // namespace hone
