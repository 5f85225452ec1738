#pragma once
// The symbolic walk behind analyse(): one pass over a kernel in program order that knows, for each variable, its value
// as a polynomial, and, at each point, what must hold to be there. Internal to affine/.

#include <map>
#include <set>
#include <string>

#include "affine/view.hpp"

namespace hone::affine {

/// Where a pointer points: into `array`, `offset` elements from its start.
struct Pointer {
  std::string array;
  ir::AddressSpace space = ir::AddressSpace::Private;
  ir::Type element;
  std::optional<Polynomial> offset;
};

/// What an expression is. `may_wrap`: holds modulo 2^64 only, so it may be added and multiplied but not compared or
/// divided.
struct Known {
  std::optional<Polynomial> number;
  std::optional<Pointer> pointer;
  bool may_wrap = false;
};

class Walker {
 public:
  Walker(const ir::Unit& unit, const Facts& facts) : unit_(unit), facts_(facts) {}
  View walk(const ir::NodePtr& kernel);

 private:
  // walker.cpp: statements
  void bind_parameters(const ir::NodePtr& kernel);
  void statement(const ir::NodePtr& node);
  void statements(const ir::NodePtr& block);
  void declare(const ir::NodePtr& variable);
  void branch(const ir::NodePtr& node);
  void loop(const ir::NodePtr& node);
  void counted_for(const ir::NodePtr& node, Loop& loop);
  void forget_written(const ir::NodePtr& body, const std::string& counter);
  void keep_inductions(const ir::NodePtr& body, const std::map<std::string, Known>& before, const Loop& loop);
  std::vector<Carried> carried_by(const ir::NodePtr& body, const std::string& counter) const;

  // expressions.cpp
  Known value(const ir::NodePtr& node);
  std::optional<std::string> by_value_path(const ir::NodePtr& node) const;
  Known binary(const ir::NodePtr& node);
  Known subtract(const Known& a, const Known& b, const ir::Type& type);
  Known divide(const Known& a, const Known& b, bool remainder);
  Known assign(const ir::NodePtr& node);
  Known select(const ir::NodePtr& node);
  Known one_of(const std::string& name, const Known& a, const Constraints& when_a, const Known& b,
               const Constraints& when_b);
  std::optional<Pointer> place(const ir::NodePtr& node);
  Known touch(const ir::NodePtr& node, const std::optional<Pointer>& where, Direction direction, int width,
              bool atomic);
  void write_to(const ir::NodePtr& target, const Known& what, bool update);
  Known opaque(const std::string& hint);
  Polynomial fused(Polynomial p) const;

  // calls.cpp
  Known call(const ir::NodePtr& node);
  Known call_of(const ir::NodePtr& callee, const std::vector<Known>& arguments);

  // conditions.cpp
  bool assume(const ir::NodePtr& condition, bool truth);  // false: something in it is no polynomial
  bool assume_comparison(const std::string& op, const Polynomial& a, const Polynomial& b);
  Constraints now() const;

  const ir::Unit& unit_;
  const Facts& facts_;
  View view_;
  std::map<std::string, Known> variables_;
  std::map<std::string, ir::Type> types_;
  Constraints conditions_, axioms_;
  std::vector<int> loops_;
  std::set<std::string> symbols_;
  std::set<std::string> by_value_;  // struct parameters of the kernel that keep their values
  int data_guards_ = 0;
  int fresh_ = 0, depth_ = 0;
  std::optional<Known> returned_;
};

/// Whether control never goes past the end of this statement.
bool always_jumps(const ir::NodePtr& node);

}  // namespace hone::affine
