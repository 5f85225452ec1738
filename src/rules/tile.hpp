#pragma once
// The engine behind `merge` and `lanes`: one new work-item computes a tile of old ones. In: a kernel and the axes of
// the tile. Out: the kernel with every value held once where it is the same for all, as a scalar where it moves by a
// constant step, and otherwise in copies (along merged axes) or in a vector (along lanes).
//
// Legal because work-items are independent between barriers: whatever one reads, no other writes in the same interval.
// Each work-item keeps its own order. Where the work-items of a tile part ways, they go together when all agree and one
// by one when they do not; at the end of a kernel that has not stored anything yet, one by one means running the
// original body again for each (`replay`), or of a narrower tile for as many as that takes.

#include <functional>
#include <optional>

#include "base/result.hpp"
#include "rules/launch_facts.hpp"
#include "rules/partial_sums.hpp"
#include "rules/shared_turns.hpp"
#include "rules/variance.hpp"

namespace hone::rules {

struct Tile {
  std::vector<Axis> axes;
  /// The launch keeps its size: work-items beyond those needed do nothing, and get_global_size() keeps its value.
  bool keep_geometry = false;
  /// The names of the loops of those axes that stand for one, by axis; "" for the others.
  std::vector<std::string> loops = {};
};

/// E-DECLINED with the reason when the kernel does not allow it.
Result<ir::NodePtr> tile_work_items(const ir::Unit& unit, const ir::NodePtr& function, const Tile& tile,
                                    const LaunchFacts& facts);

/// Beyond this a variant takes longer to build than it could ever win back.
inline constexpr std::size_t largest_tree = 60000;

/// What a tile that does not lie inside as a whole does instead of the work-items one by one, where there is such a
/// thing: a body with fewer of them together, as many lanes as that has.
struct Narrower {
  ir::NodePtr body;
  int lanes = 1;
};

/// One place in the tile, a coordinate for each axis; `everywhere` on the axis of lanes means the whole vector.
using Point = std::vector<int>;
inline constexpr int everywhere = -1;

/// Why the work-items of a tile part ways at a loop of SharedTurns that each goes through alone.
inline constexpr const char* turns_of_its_own = "a loop's turns";

class TileRewrite {
 public:
  /// `body` is what replays, `turns.body` means the same; `function` has the latter. `narrower` replays instead
  /// where there is one.
  TileRewrite(const ir::Unit& unit, const ir::NodePtr& function, const ir::Nodes& body, const SharedTurns& turns,
              const Parts& parts, const Tile& tile, Narrower narrower);
  Result<ir::NodePtr> run();

 private:
  /// How a variable is held along one axis, decided where it is declared.
  enum class Held { Fixed, Step, Copies, Vector, Clamped };
  struct Holding {
    std::vector<Held> axes;
    std::vector<long long> steps;
    ir::Type type;  // of one work-item's value
  };
  struct Hoisted {
    std::vector<bool> copies;
    std::string name;
    ir::Type type;
    bool vector = false;
  };

  // tile.cpp: statements
  ir::Nodes list(const ir::Nodes& statements, bool tail);
  ir::Nodes statement(const ir::NodePtr& s, bool tail);
  ir::Nodes declaration(const ir::NodePtr& variable);
  ir::Nodes held_declaration(const ir::NodePtr& variable);
  ir::Nodes shared_limit(const ir::NodePtr& variable);
  ir::Nodes branch(const ir::NodePtr& s, bool tail);
  ir::Nodes tail_branch(const ir::NodePtr& s);
  ir::Nodes one_by_one(const ir::NodePtr& s, const std::vector<std::size_t>& axes, const std::string& why);
  ir::NodePtr scoped(const ir::NodePtr& body, bool tail);

  // tile_replay.cpp: tiles that do not lie inside as a whole
  ir::NodePtr replay() const;

  // tile_loops.cpp
  ir::Nodes loop(const ir::NodePtr& s);
  ir::Nodes in_step(const ir::NodePtr& loop);
  ir::Nodes taken_together(const ir::NodePtr& loop, const std::vector<std::size_t>& axes);

  // tile_store.cpp: assignments
  ir::Nodes effect(const ir::NodePtr& statement);
  ir::Nodes private_assignment(const ir::NodePtr& s, const ir::NodePtr& target, const std::string& op,
                               const ir::NodePtr& value);
  ir::Nodes store(const ir::NodePtr& s, const ir::NodePtr& target, const std::string& op, const ir::NodePtr& value);
  ir::Nodes values_then_stores(const ir::NodePtr& target, const ir::NodePtr& value, const std::vector<Point>& places);
  ir::Nodes vector_store(const ir::NodePtr& target, const ir::NodePtr& all, const Point& p);
  ir::Nodes hoist(const ir::NodePtr& value, const std::vector<std::size_t>& axes);

  // tile_parts.cpp: what iterations that went together have added up
  std::string part_in(const ir::NodePtr& statement) const;
  ir::Nodes added_up(const ir::NodePtr& s, const std::string& part);
  std::vector<Point> places_along(const std::vector<std::size_t>& axes, const Point& p) const;
  ir::NodePtr kept(const ir::NodePtr& value, ir::Type type, const std::string& wish, ir::Nodes& before);
  ir::Nodes each_part(const ir::NodePtr& e, const std::string& part, const Point& p, ir::Nodes& before);

  // tile_masks.cpp: branches without branching
  struct Masked;
  std::optional<ir::Nodes> as_selects(const ir::NodePtr& s);
  bool can_be_masked(const ir::NodePtr& s, Masked& m) const;
  bool can_be_masked_list(const ir::Nodes& statements, Masked& m) const;
  ir::Nodes masked(const ir::NodePtr& s, const std::vector<ir::NodePtr>& outer, const Masked& m);
  ir::Nodes masked_list(const ir::Nodes& statements, const std::vector<ir::NodePtr>& masks, const Masked& m);

  // tile_points.cpp: expressions at one place
  ir::NodePtr scalar(const ir::NodePtr& e, const Point& p) const;
  ir::NodePtr scalar_name(const ir::NodePtr& e, const Point& p) const;
  ir::NodePtr thread_at(const ir::NodePtr& e, const std::map<int, int>& factors,
                        const std::function<ir::NodePtr(int dimension)>& offset) const;
  ir::NodePtr expression(const ir::NodePtr& e, const Point& p);
  Point origin() const;
  std::vector<Point> points(const std::vector<std::size_t>& axes, bool with_lanes) const;
  std::vector<std::size_t> free_axes(const std::function<bool(const Variance&)>& test) const;
  std::vector<std::size_t> axes_of(const ir::NodePtr& e) const;
  bool free(std::size_t axis) const { return pins_[axis] < 0; }
  bool lanes_free() const { return lanes_ && free(*lanes_); }
  bool varies_along_lanes(const ir::NodePtr& e) const;
  std::string copy_name(const std::string& name, const std::vector<bool>& copies, const Point& p) const;
  std::vector<bool> copied(const Holding& holding) const;

  // tile_conditions.cpp
  std::optional<ir::NodePtr> when_all(const ir::NodePtr& condition);
  std::optional<ir::NodePtr> when_all_differ(const ir::NodePtr& condition);
  std::optional<ir::NodePtr> when_all_compare(const ir::NodePtr& condition);

  // tile_vectors.cpp: expressions over all lanes
  ir::NodePtr wide(const ir::NodePtr& e, const Point& p);
  ir::NodePtr wide_binary(const ir::NodePtr& e, const Point& p);
  ir::NodePtr wide_select(const ir::NodePtr& e, const Point& p);
  ir::NodePtr wide_call(const ir::NodePtr& e, const Point& p);
  ir::NodePtr wide_load(const ir::NodePtr& e, const Point& p);
  ir::NodePtr lane_by_lane(const ir::NodePtr& e, const Point& p);
  ir::NodePtr ramp(const ir::NodePtr& e, const Point& p, long long step);
  ir::NodePtr mask(const ir::NodePtr& e, const Point& p);
  ir::NodePtr mask_as(const ir::NodePtr& mask, const ir::Type& lane) const;
  ir::NodePtr converted(const ir::NodePtr& value, const ir::Type& lane) const;
  ir::NodePtr address(const ir::NodePtr& access, const Point& p) const;
  ir::Type widened(const ir::Type& lane) const;
  Change lane_change(const ir::NodePtr& e) const;

  std::string along(std::size_t axis) const;
  ir::NodePtr decline(const std::string& reason);

  const ir::Unit& unit_;
  ir::NodePtr function_;
  ir::Nodes body_;
  SharedTurns turns_;
  Parts parts_;
  Tile tile_;
  Narrower narrower_;
  Symbols symbols_;
  std::vector<Variance> variances_;
  std::optional<std::size_t> lanes_;
  std::map<int, int> factors_;  // by dimension
  std::vector<int> pins_;       // -1: free
  std::map<std::string, Holding> holdings_;
  std::map<const ir::Node*, Hoisted> hoisted_;
  mutable std::set<std::string> taken_;
  mutable std::map<std::string, std::string> names_;
  bool barriers_ = false, pristine_ = true, replays_ = false;
  bool falls_out_ = false;  // of the branch just made: some paths through it go on to the replay
  bool in_rest_ = false;    // of a loop that is an axis
  int nesting_ = 0;
  std::string reason_;
};

}  // namespace hone::rules
