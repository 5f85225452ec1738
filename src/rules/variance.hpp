#pragma once
// How values change from one work-item to the next along one axis of the tile that a single new work-item will compute.
// In: a kernel's body and an axis. Out: for every expression whether it is the same for all, moves by a constant step,
// moves by at most one (a clamped index), or varies in a way nothing is known about.

#include <map>
#include <optional>
#include <string>

#include "rules/facts.hpp"

namespace hone::rules {

/// One direction of the tile: `factor` work-items of `dimension`, `unit` apart, done by one. At most one axis is lanes.
/// With a loop it is iterations of this loop that are done at once, as if each were a work-item of its own.
struct Axis {
  int dimension = 0;
  int factor = 1;
  long long unit = 1;
  bool lanes = false;
  ir::NodePtr loop = nullptr;        // of the body that is rewritten; then the dimension means nothing
  std::set<std::string> parts = {};  // variables that each of its iterations has for itself
};

struct Change {
  enum class Kind { Uniform, Linear, Clamped, Varying };
  Kind kind = Kind::Uniform;
  long long step = 0;  // of Linear
  bool wraps = false;  // an unsigned difference is in it: as an address fine, in a comparison not
  bool operator==(const Change&) const = default;
  bool uniform() const { return kind == Kind::Uniform; }
  /// The same for all, or a constant step from each to the next.
  bool even() const { return uniform() || kind == Kind::Linear; }
  bool varying() const { return kind == Kind::Varying; }
  static Change linear(long long step, bool wraps = false) {
    return step == 0 ? Change{} : Change{Kind::Linear, step, wraps};
  }
  static Change unknown() { return {Kind::Varying, 0, false}; }
};

class Variance {
 public:
  Variance(const ir::NodePtr& body, const Symbols& symbols, const Axis& axis);

  Change of(const ir::NodePtr& expression) const;
  Change of_variable(const std::string& name) const;
  /// Of the address of a[i][j] or *p, in elements.
  Change of_address(const ir::NodePtr& access) const;
  /// What a Clamped variable was made from; null for others.
  ir::NodePtr definition(const std::string& name) const;
  /// The loop runs differently for the work-items of the tile: its header varies, or a break or continue does.
  bool loop_varies(const ir::NodePtr& loop) const;

 private:
  void walk(const ir::NodePtr& statement, int depth);
  void walk_expression(const ir::NodePtr& expression, int depth);
  void assign(const std::string& name, Change change, int depth);
  void declare(const ir::NodePtr& variable, int depth);
  bool jumps_vary(const ir::NodePtr& statement, bool under) const;
  Change of_binary(const ir::NodePtr& expression) const;
  Change of_call(const ir::NodePtr& expression) const;
  Change of_select(const ir::NodePtr& expression) const;
  Change of_parts(const ir::NodePtr& expression) const;
  Change kept_in(Change change, const ir::Type& type) const;

  const Symbols& symbols_;
  Axis axis_;
  std::map<std::string, Change> variables_;
  std::map<std::string, int> depths_;
  std::map<std::string, ir::NodePtr> definitions_;
  std::set<std::string> reassigned_, assigned_in_bodies_;
  bool changed_ = false;
};

}  // namespace hone::rules
