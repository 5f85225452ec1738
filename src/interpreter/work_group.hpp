#pragma once
// One work-group of a running kernel: its work-items, their variables, and the barriers they have passed.

#include <map>
#include <optional>

#include "interpreter/memory.hpp"
#include "ir/tree.hpp"

namespace hone::interpreter {

/// A variable: bytes, or a pointer held as a value.
struct Variable {
  Place place;
  std::optional<Value> pointer;
};
using Scope = std::map<std::string, Variable>;
/// Numbers of work-items within the group.
using Active = std::vector<std::size_t>;

/// What all groups of one launch share.
struct LaunchState {
  const ir::Unit& unit;
  const Geometry& geometry;
  const Options& options;
  std::uint64_t steps = 0, ask_at = 0;
};

class WorkGroup {
 public:
  WorkGroup(LaunchState& launch, std::array<std::size_t, 3> group);
  void run(const ir::NodePtr& kernel, const std::vector<Variable>& arguments);

 private:
  enum class Going { On, Broke, Continued, Returned };
  struct Item {
    std::array<std::size_t, 3> local{};
    std::vector<Scope> scopes;
    Going going = Going::On;
    Value returned;
  };

  // statements.cpp: for all active work-items
  Active everybody() const;
  Active going_on(const Active& active) const;
  void execute(const ir::NodePtr& s, const Active& active);
  void execute_kind(const ir::NodePtr& s, const Active& active);
  void halt(const Active& active, Going going);
  void wait(const ir::NodePtr& s, const Active& active);
  void sequence(const ir::Nodes& statements, const Active& active);
  void branch(const ir::NodePtr& s, const Active& active);
  void loop(const ir::NodePtr& condition, const ir::NodePtr& step, const ir::NodePtr& body, Active active,
            bool test_first);
  void choose(const ir::NodePtr& s, const Active& active);
  void declare(const ir::NodePtr& s, std::size_t item);
  void initialise(const Place& place, const ir::NodePtr& value, std::size_t item);
  void count(std::size_t steps);
  template <class Inside>
  void in_scope(const Active& active, const Inside& inside) {
    for (const auto i : active) items_[i].scopes.emplace_back();
    inside();
    for (const auto i : active) items_[i].scopes.pop_back();
  }

  // expressions.cpp: for one work-item
  Variable& find(const std::string& name, std::size_t item);
  Variable* lookup(const std::string& name, std::size_t item);
  Value evaluate(const ir::NodePtr& e, std::size_t item);
  Value evaluate_kind(const ir::NodePtr& e, std::size_t item);
  Place place_of(const ir::NodePtr& e, std::size_t item);
  bool has_place(const ir::NodePtr& e, std::size_t item);
  Place pointed(const Value& pointer) const;
  Value assign(const ir::NodePtr& e, std::size_t item);
  Value stepped(const ir::NodePtr& e, std::size_t item);
  Value binary_expression(const ir::NodePtr& e, std::size_t item);
  Value address(const ir::NodePtr& e, std::size_t item);
  Value vector(const ir::NodePtr& e, std::size_t item);
  Value thread_index(const ir::Node& e, std::size_t item) const;

  // calls.cpp
  Value call(const ir::NodePtr& e, std::size_t item);
  Value called(const ir::NodePtr& callee, const std::vector<Value>& arguments, std::size_t item);
  std::optional<Value> memory_call(const std::string& name, const std::vector<Value>& arguments, const ir::Type& type,
                                   std::size_t item);
  Value atomic(const std::string& name, const std::vector<Value>& arguments);

  Value fetch(const Place& place, std::size_t item);
  void keep(const Place& place, const Value& value, std::size_t item);
  Toucher toucher(const Place& place, std::size_t item) const;

  LaunchState& launch_;
  std::array<std::size_t, 3> group_;
  std::uint32_t group_number_ = 0;
  std::uint32_t local_epoch_ = 0, global_epoch_ = 0;
  std::vector<Item> items_;
  Scope globals_;
  std::map<const ir::Node*, MemoryPtr> shared_;
  int apart_ = 0;  ///< > 0 where work-items run one at a time and no barrier can be waited at
};

/// The line of the unit's text a node came from; 0 when it owns no bytes.
std::size_t line_of(const ir::Node& node);

}  // namespace hone::interpreter
