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

/// The same with smaller sizes, all of them divided alike, as long as its buffers have more elements than that.
Workload smaller_workload(const Mep& mep, const Workload& workload, std::int64_t elements);

/// Small workloads in which every size, or one of them beside the others, has such a value: those that the contract
/// allows and that need little memory, or no more than the tuned one four times over.
std::vector<Workload> workloads_with(const Mep& mep, const std::vector<std::int64_t>& values);

/// Two small workloads whose sizes rise and fall in the order of their names: a candidate may be right only where one
/// of two sizes is the larger.
std::vector<Workload> turned_workloads(const Mep& mep);

/// A workload with every size drawn anew, at most as large as the tuned one. Within the contract; work-groups divide;
/// sizes that are equal in every workload stay equal. Nothing when the domain has no other point.
std::optional<Workload> drawn_workload(const Mep& mep, std::uint64_t seed);

}  // namespace hone
