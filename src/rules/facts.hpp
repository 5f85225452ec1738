#pragma once
// What a rule asks about a kernel before it changes it: the types of its variables, what has side effects, whether it
// talks to its work-group, and whether it contains something no rule may touch.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "ir/unit.hpp"

namespace hone::rules {

/// Types by name: parameters and every variable declared anywhere in the function.
class Symbols {
 public:
  explicit Symbols(const ir::NodePtr& function);
  /// Unknown for names the function does not declare.
  ir::Type type_of(const std::string& name) const;
  bool declares(const std::string& name) const { return types_.count(name) != 0; }
  bool is_parameter(const std::string& name) const { return parameters_.count(name) != 0; }
  /// A name that was declared twice with types that differ; empty when there is none.
  const std::string& conflict() const { return conflict_; }

 private:
  void add(const std::string& name, const ir::Type& type);
  std::map<std::string, ir::Type> types_;
  std::set<std::string> parameters_;
  std::string conflict_;
};

/// An access to memory that other work-items can see: through a pointer or a __local array.
bool is_memory_access(const ir::NodePtr& access, const Symbols& symbols);
bool touches_memory(const ir::NodePtr& node, const Symbols& symbols);
/// Nothing is assigned, stepped or called for its effect; memory may be read.
bool is_pure(const ir::NodePtr& expression);
/// Pure, and cheap and harmless to evaluate where the original would not have: no memory, no division, no call but of
/// elementwise builtins.
bool is_harmless(const ir::NodePtr& expression, const Symbols& symbols);
/// As is_harmless, when `before` was evaluated by everyone: what it loads may be loaded again.
bool is_harmless_after(const ir::NodePtr& before, const ir::NodePtr& expression, const Symbols& symbols);
/// Builtins that take vectors lane by lane, all arguments of one type: sqrt, fma, clamp, ...
bool is_elementwise(const std::string& callee);

/// The nodes that are certainly evaluated when the expression is, outer before inner; `take` returns true where what is
/// below need not be seen.
void each_unconditional(const ir::NodePtr& expression, const std::function<bool(const ir::NodePtr&)>& take);
/// A break or continue in the statement belongs to a loop around it.
bool jumps_out(const ir::NodePtr& statement);

bool has_barrier(const ir::NodePtr& node);
/// Local ids, group ids, local memory or barriers: the kernel's meaning depends on how it is grouped.
bool depends_on_groups(const ir::NodePtr& function);
bool uses_thread_index(const ir::NodePtr& node);
std::size_t size_of_tree(const ir::NodePtr& node);
/// Why no rule may rewrite this kernel; empty when one may.
std::string obstacle(const ir::Unit& unit, const ir::NodePtr& function);

/// Variables assigned or stepped after their declaration; loop headers count only when `headers` is set.
std::set<std::string> reassigned(const ir::NodePtr& node, bool headers);

}  // namespace hone::rules
