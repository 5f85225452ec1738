#pragma once
// Contents a MEP does not declare. A candidate that is right only for what the MEP's generators make (all positive, all
// inside a range, never zero, one number everywhere) or for the scalars it happens to pass is wrong in the application;
// so other signs, scales, shapes and scalars are tried wherever K(0) itself stays defined and finite on them.

#include <map>
#include <string>
#include <vector>

#include "core/launches.hpp"
#include "core/mep.hpp"

namespace hone::judge {

/// What becomes of a scalar's value: half of it or one less, more than it (of the other sign, where it is real), none.
enum class ScalarChange { Less, More, None };

struct ContentsShape {
  std::string name;                                  // "other signs"
  std::map<std::string, std::string> fills;          // by buffer; the others stay as declared
  bool checks_definedness = false;                   // changes whole numbers: K(0) may index with them
  std::map<std::string, ScalarChange> scalars = {};  // that have other values; sizes are none of these
  bool has_room = false;                             // buffers go on behind their end: an offset moves on there
};

/// Shapes that differ from what the MEP declares, most telling first, for the sizes of `workload`.
std::vector<ContentsShape> other_contents(const Mep& mep, const Workload& workload);
/// The widest range of all of them, with zeros where one of them has some. K(0) was watched on each, so not again.
ContentsShape all_at_once(const std::vector<ContentsShape>& shapes);
void fill_as(const ContentsShape& shape, Problem& problem);
Workload with_scalars_of(const ContentsShape& shape, Workload workload);

}  // namespace hone::judge
