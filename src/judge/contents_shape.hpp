#pragma once
// Contents a MEP does not declare. A candidate that is right only for what the MEP's generators make (all positive, all
// inside a range, never zero) is wrong in the application; so other signs, scales and shapes are tried wherever K(0)
// itself stays defined and finite on them.

#include <map>
#include <string>
#include <vector>

#include "core/launches.hpp"
#include "core/mep.hpp"

namespace hone::judge {

struct ContentsShape {
  std::string name;                          // "other signs"
  std::map<std::string, std::string> fills;  // by buffer; the others stay as declared
  bool checks_definedness = false;           // changes whole numbers: K(0) may index with them
};

/// Shapes that differ from what the MEP declares, most telling first.
std::vector<ContentsShape> other_contents(const Mep& mep);
void fill_as(const ContentsShape& shape, Problem& problem);

}  // namespace hone::judge
