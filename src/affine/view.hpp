#pragma once
// The affine view of one kernel: its loops, its accesses to memory with the conditions under which they happen, and
// what can be read off them: strides, footprints, dependences. In: a function of the tree and what is known of its
// scalars. Nothing here changes the tree; nodes are named by identity.
//
// Symbols of the polynomials:
//   global_id[d] local_id[d] group_id[d] num_groups[d]   the work-item        launch.global[d] launch.local[d]   the
//   launch n, p.n                                                      a scalar argument k, k@2 a loop's counter (the
//   second loop over a k is k@2) x@5                                                    a value nothing is known about
//   (loaded, or changed in a loop)

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "affine/polynomial.hpp"
#include "affine/prover.hpp"
#include "ir/unit.hpp"

namespace hone::affine {

/// "global_id[0]": the symbol of a work-item's number.
std::string work_item(int dimension);
std::string local_item(int dimension);
std::string group_of(int dimension);
std::string global_size(int dimension);
std::string local_size(int dimension);
std::string group_count(int dimension);

/// A scalar changed in a loop and carried from one iteration to the next.
struct Carried {
  std::string name;
  std::string op;  // "+", "*", "min", "max" when every change is `name = name op value`; empty otherwise
};

struct Loop {
  ir::NodePtr node;                            // For, While or DoWhile
  std::string variable;                        // as written; empty when it does not count
  std::string symbol;                          // of its counter
  std::optional<Polynomial> begin, end, step;  // for (v = begin; v < end; v += step); absent when not counted this way
  Constraints bounds;                          // what holds of the counter inside
  int parent = -1;                             // index of the loop around it
  std::vector<Carried> carried;
  std::set<std::string> outside;  // symbols that are the same in all its iterations
};

enum class Direction { Read, Write, Update };  // Update: a[i] += x, atomics

struct MemoryAccess {
  ir::NodePtr node;   // Index, Unary *, or the Call of vload, vstore, an atomic
  std::string array;  // the argument or variable at its root; empty when not known
  ir::AddressSpace space = ir::AddressSpace::Global;
  ir::Type element;
  Direction direction = Direction::Read;
  bool atomic = false;
  int width = 1;                    // elements touched from `index` on: 4 for vload4
  std::optional<Polynomial> index;  // in elements, modulo 2^64 as addresses are; absent when not understood
  std::vector<int> loops;           // enclosing, outermost first
  Constraints conditions;           // all that is known to hold when it happens
  bool guarded_by_data = false;     // also under a condition that is no polynomial
};

struct View {
  std::vector<Loop> loops;
  std::vector<MemoryAccess> accesses;
  int dimensions = 0;  // highest work-item dimension used, plus one
  bool has_barrier = false;
  bool has_atomics = false;
  bool has_unknown = false;                        // Verbatim, or a call that got a pointer and is not in the unit
  std::map<std::string, std::string> loaded_from;  // symbol of a loaded integer -> its array, or array.field
  std::vector<std::string> notes;                  // why something is not known, for people
};

/// What the caller knows. Scalars listed in `values` are replaced by their numbers (where symbols defeat
/// delinearisation).
struct Facts {
  std::map<std::string, std::int64_t> values;
  Constraints constraints;  // "n - 1 >= 0" and the like; every size in them is a symbol as above
  bool offset_is_zero = true;
};

View analyse(const ir::Unit& unit, const ir::NodePtr& kernel, const Facts& facts = {});

const MemoryAccess* access_at(const View& view, const ir::NodePtr& node);
const Loop* loop_at(const View& view, const ir::NodePtr& node);

// ---- strides ----

/// By how many elements the access moves when `symbol` grows by one; nothing when the index is unknown or not linear in
/// it.
std::optional<Polynomial> stride(const MemoryAccess& access, const std::string& symbol);
/// The same as a number: 0, 1, ...; nothing when it depends on anything.
std::optional<std::int64_t> constant_stride(const MemoryAccess& access, const std::string& symbol);

// ---- footprints ----

/// Smallest and one past the largest element touched, over all work-items and iterations, in scalars and launch.*
/// symbols.
struct Footprint {
  Polynomial begin, end;
  bool exact = true;  // false: a bound that some element may not reach
};
std::optional<Footprint> footprint(const View& view, const MemoryAccess& access);

/// Elements an array must have for all accesses to it; `size` is a max(...) where two accesses cannot be compared.
struct Extent {
  Expression size;
  bool exact = true;
  bool from_zero = true;  // no access lies before the array's start
};
/// Nothing when one of the accesses is not understood.
std::optional<Extent> extent(const View& view, const std::string& array);

/// The smallest launch that still does everything: per dimension what the guards let through (`global_id[0] < n` gives
/// n); nothing where no guard bounds it, so the launch itself is the bound.
std::vector<std::optional<Expression>> guarded_size(const View& view);

// ---- dependences ----

/// Subscripts of a delinearised index: i*n + k with 0 <= k < n proven is {i, k} in strides {n, 1}.
struct Subscripts {
  std::vector<Polynomial> strides, indices;
};
std::optional<Subscripts> delinearise(const View& view, const MemoryAccess& access);

/// Whether no iteration of the loop touches memory that another one writes (same work-item). `distinct` says whether
/// two arrays are known not to overlap. Carried scalars are the caller's to look at.
bool iterations_independent(const View& view, int loop,
                            const std::function<bool(const std::string&, const std::string&)>& distinct);

}  // namespace hone::affine
