#pragma once
// Loops that only add up: what one iteration hands to the next is a sum, a product, a least or a greatest value. Taken
// together, each of the iterations adds up for itself, and what they have is added at the end.
//
//   for (int j = 0; j < n; j++)        ->     float sum_part = 0;
//     sum += a[j] * x[j];                     for (int j = 0; j < n; j++) sum_part += a[j] * x[j];
//                                             sum += sum_part;
//
// where the tile holds sum_part once for each iteration that goes with others: in a vector, in copies, or both.
//
// Legal because adding up may be done in any order but for rounding: integers come out the same, and for real numbers
// the judge compares what is lost with double precision. Declined where anything else reads what is added up.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rules/variance.hpp"

namespace hone::rules {

/// A variable from outside of a loop that the loop only adds to.
struct Gathered {
  std::string name;
  ir::Type type;
  ir::NodePtr start;     // of a part
  ir::NodePtr together;  // an assignment that adds a part to the variable
  std::string part;      // the name it has in `together`
};

/// What the loop adds up; variables that it reads or writes in another way as well are not among them.
std::vector<Gathered> gathered_by(const ir::NodePtr& loop, const Symbols& symbols);

/// The parts by their names: how they are added up, and which axes of the tile hold parts of their own.
struct Parts {
  struct Part {
    std::vector<std::size_t> axes;
    std::string of;
  };
  ir::NodePtr function;
  std::map<std::string, Part> by_name;
};

/// The function with a part wherever a loop of `axes` adds up; the loops are followed to where they stand in it.
Parts with_partial_sums(const ir::NodePtr& function, std::vector<Axis>& axes, std::set<std::string>& taken);

}  // namespace hone::rules
