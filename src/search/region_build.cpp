// The graph is built one parameter at a time. A node stands for all partial assignments that leave the same residue of
// every open constraint: the values of its largest subexpressions that are already known. A constraint whose outcome is
// certain on ranges prunes the assignment, or leaves the residue altogether.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_set>

#include "search/constraint_plan.hpp"
#include "search/region.hpp"

namespace hone::search {

namespace {

constexpr double settled = std::numeric_limits<double>::infinity();

}  // namespace

class RegionBuilder {
 public:
  RegionBuilder(const Space& space, RegionLimits limits) : limits_(limits), tables_(NumberTables::of(space)) {
    region_.space_ = space;
  }

  Result<Region> run() {
    for (const auto& parameter : space().parameters) {
      if (parameter.values.empty()) return fail("E-SPACE", "parameter " + parameter.name + " has no values");
      if (parameter.values.size() > 65535)
        return fail("E-SPACE", "parameter " + parameter.name + " has over 65535 values");
    }
    for (const auto& constraint : space().constraints) {
      if (auto added = add_constraint(constraint); !added) return fail(added.error());
    }
    choose_order();
    for (auto& constraint : constraints_) plan(constraint, order_, tables_);
    grow();
    region_.count_completions();
    if (region_.count_ == 0) return fail("E-SPACE", "no configuration satisfies all constraints: " + in_words());
    for (const auto& constraint : constraints_) {
      if (constraint.left_out_from < order_.size()) region_.unchecked_.push_back(constraint.expression);
    }
    return std::move(region_);
  }

 private:
  const Space& space() const { return region_.space_; }
  std::size_t size_of(std::size_t parameter) const { return region_.size_of(parameter); }

  std::string in_words() const {
    std::string out;
    for (const auto& constraint : space().constraints)
      out += (out.empty() ? "" : "; ") + constraint.name + " (" + constraint.condition.print() + ")";
    return out;
  }

  /// Over no parameter: it holds everywhere or nowhere, and no level of the graph would look at it.
  static Status decide(const Constraint& constraint) {
    const auto holds = constraint.condition.evaluate_condition([](std::string_view) { return std::nullopt; });
    if (!holds) return fail(Error(holds.error()).context("constraint " + constraint.name));
    if (*holds) return {};
    return fail("E-SPACE", "no configuration satisfies the constraint " + constraint.name + " (" +
                               constraint.condition.print() + ")");
  }

  Status add_constraint(const Constraint& constraint) {
    if (constraint.condition.names().empty()) return decide(constraint);
    CompiledConstraint compiled;
    compiled.expression = constraint.condition;
    for (const auto& name : constraint.condition.names()) {
      const auto& all = space().parameters;
      const auto at = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
      if (at == all.end())
        return fail("E-SPACE", "constraint " + constraint.name + " uses " + name + ", which is no parameter");
      compiled.variables.push_back(static_cast<std::size_t>(at - all.begin()));
    }
    compiled.condition = compile(constraint.condition, space(), tables_);
    constraints_.push_back(std::move(compiled));
    return {};
  }

  /// The next parameter is the one that keeps the set of parameters still needed by open constraints smallest.
  void choose_order() {
    const auto n = space().parameters.size();
    std::vector<bool> set(n, false);
    while (order_.size() < n) {
      std::size_t best = n;
      double best_cost = 0;
      for (std::size_t candidate = 0; candidate < n; ++candidate) {
        if (set[candidate]) continue;
        set[candidate] = true;
        const double cost = frontier_cost(set);
        set[candidate] = false;
        if (best == n || cost < best_cost) best = candidate, best_cost = cost;
      }
      set[best] = true;
      order_.push_back(best);
    }
  }

  double frontier_cost(const std::vector<bool>& set) const {
    std::vector<bool> needed(set.size(), false);
    for (const auto& constraint : constraints_) {
      const auto& v = constraint.variables;
      const bool open = std::any_of(v.begin(), v.end(), [&](auto i) { return !set[i]; });
      if (!open) continue;
      for (const auto i : v) needed[i] = needed[i] || set[i];
    }
    double cost = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (needed[i]) cost += std::log2(static_cast<double>(size_of(i)) + 0.01);
    }
    return cost;
  }

  // ---- growing the graph ----

  void grow() {
    const auto n = order_.size();
    assignments_.assign(n, 0);  // the root's empty assignment
    std::size_t nodes = 1, edges = 0;
    for (std::size_t k = 0; k < n; ++k) {
      Region::Level level;
      level.parameter = order_[k];
      const auto size = size_of(level.parameter);
      level.child.assign(nodes * size, Region::none);
      edges += level.child.size();
      begin_level();
      for (std::size_t node = 0; node < nodes; ++node) {
        begin_node(k, node);
        for (std::size_t value = 0; value < size; ++value) {
          level.child[node * size + value] = extend(k, static_cast<std::uint16_t>(value));
        }
        const std::size_t next_size = k + 1 < n ? size_of(order_[k + 1]) : 1;
        if (edges + next_count_ * next_size > limits_.edges && leave_out_largest(k)) {
          // Start the level again without the constraint that splits it most.
          begin_level();
          node = static_cast<std::size_t>(-1);
        }
      }
      nodes = next_count_;
      assignments_.swap(next_assignments_);
      region_.levels_.push_back(std::move(level));
    }
  }

  void begin_level() {
    next_assignments_.clear();
    next_keys_.clear();
    next_count_ = 0;
    std::fill(table_.begin(), table_.end(), Region::none);
  }

  /// Everything about a node that does not depend on the value it is extended by.
  void begin_node(std::size_t k, std::size_t node) {
    const auto n = order_.size();
    const std::uint16_t* from = assignments_.data() + node * n;
    scratch_.assign(from, from + n);
    for (auto& constraint : constraints_) {
      const Stage& stage = constraint.stages[k];
      if (k >= constraint.left_out_from || !constraint.condition) continue;
      evaluate(constraint, stage.stable);
      for (const auto i : stage.stable) constraint.ranges[i] = known_range(constraint.values[i]);
      for (const auto i : stage.unset) constraint.ranges[i] = constraint.free[i];
    }
  }

  void evaluate(CompiledConstraint& constraint, const std::vector<std::size_t>& which) {
    const auto& steps = constraint.condition->steps;
    for (const auto i : which) {
      const auto& step = steps[i];
      constraint.values[i] = step.code == Operation::Code::Variable
                                 ? tables_.values[step.variable][scratch_[step.variable]]
                                 : exact_value(step, constraint.values.data());
    }
  }

  static Interval known_range(double value) {
    return std::isnan(value) ? Interval{-settled, settled, false} : Interval{value, value, true};
  }

  std::uint32_t extend(std::size_t k, std::uint16_t value) {
    scratch_[order_[k]] = value;
    key_.clear();
    for (auto& constraint : constraints_) {
      const Stage& stage = constraint.stages[k];
      if (k >= constraint.left_out_from || (!stage.open && !stage.complete)) continue;
      if (!constraint.condition ? !generic_residue(constraint, stage) : !residue(constraint, stage)) {
        return Region::none;
      }
    }
    return intern(order_.size());
  }

  /// False when the constraint cannot hold any more.
  bool generic_residue(const CompiledConstraint& constraint, const Stage& stage) {
    if (!stage.complete) {
      // Parameters not yet set are 0 in the scratch, the same for all nodes of a level.
      for (const auto i : constraint.variables) key_.push_back(scratch_[i]);
      return true;
    }
    const auto environment = [&](std::string_view name) -> std::optional<Value> {
      for (const auto i : constraint.variables) {
        if (space().parameters[i].name == name) return space().parameters[i].values[scratch_[i]];
      }
      return std::nullopt;
    };
    const auto holds = constraint.expression.evaluate_condition(environment);
    return holds && *holds;
  }

  bool residue(CompiledConstraint& constraint, const Stage& stage) {
    const auto& values = constraint.values;
    evaluate(constraint, stage.exact);
    if (stage.complete) return values.back() != 0 && !std::isnan(values.back());
    const auto outcome = bound(constraint, stage);
    if (outcome.low == 0 && outcome.high == 0) return false;
    const bool certain = outcome.clean && (outcome.low > 0 || outcome.high < 0);
    const auto push = [&](double value) { key_.push_back(certain ? settled : value + 0.0); };
    for (const auto i : stage.residue) push(values[i]);
    for (const auto& operands : stage.partial_sums) {
      double sum = 0;
      for (const auto o : operands) sum += values[o];
      push(sum);
    }
    for (const auto& operands : stage.partial_products) {
      double product = 1;
      for (const auto o : operands) product *= values[o];
      push(product);
    }
    return true;
  }

  static Interval bound(CompiledConstraint& constraint, const Stage& stage) {
    const auto& steps = constraint.condition->steps;
    auto& ranges = constraint.ranges;
    for (const auto i : stage.exact) ranges[i] = known_range(constraint.values[i]);
    for (const auto i : stage.ranged) ranges[i] = range_of(steps[i], ranges.data());
    return ranges.back();
  }

  /// The node with the residue in key_, made when it is new.
  std::uint32_t intern(std::size_t n) {
    const std::size_t width = key_.size();
    if (next_count_ * 2 >= table_.size()) rehash(width);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t slot = hash(key_.data(), width) & mask;; slot = (slot + 1) & mask) {
      const auto found = table_[slot];
      if (found == Region::none) {
        table_[slot] = static_cast<std::uint32_t>(next_count_);
        next_keys_.insert(next_keys_.end(), key_.begin(), key_.end());
        next_assignments_.insert(next_assignments_.end(), scratch_.begin(),
                                 scratch_.begin() + static_cast<std::ptrdiff_t>(n));
        return static_cast<std::uint32_t>(next_count_++);
      }
      if (width == 0 || std::memcmp(next_keys_.data() + found * width, key_.data(), width * sizeof(double)) == 0)
        return found;
    }
  }

  void rehash(std::size_t width) {
    table_.assign(std::max<std::size_t>(1024, table_.size() * 2), Region::none);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = 0; i < next_count_; ++i) {
      std::size_t slot = hash(next_keys_.data() + i * width, width) & mask;
      while (table_[slot] != Region::none) slot = (slot + 1) & mask;
      table_[slot] = static_cast<std::uint32_t>(i);
    }
  }

  static std::size_t hash(const double* key, std::size_t width) {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < width; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, key + i, sizeof bits);
      h = (h ^ bits) * 0xff51afd7ed558ccdULL;
      h ^= h >> 32U;
    }
    return static_cast<std::size_t>(h);
  }

  /// Leaves out, from level k on, the open constraint whose residue takes the most different values. False when none is
  /// open any more.
  bool leave_out_largest(std::size_t k) {
    CompiledConstraint* worst = nullptr;
    std::size_t worst_values = 1, offset = 0, total = 0;
    for (const auto& constraint : constraints_) total += width_of(constraint, k);
    for (auto& constraint : constraints_) {
      const std::size_t width = width_of(constraint, k);
      if (width == 0) continue;
      std::unordered_set<std::size_t> seen;
      for (std::size_t i = 0; i < next_count_; ++i) seen.insert(hash(next_keys_.data() + i * total + offset, width));
      if (seen.size() > worst_values) worst = &constraint, worst_values = seen.size();
      offset += width;
    }
    if (worst == nullptr) return false;
    worst->left_out_from = k;
    return true;
  }

  static std::size_t width_of(const CompiledConstraint& constraint, std::size_t k) {
    const Stage& stage = constraint.stages[k];
    if (k >= constraint.left_out_from || !stage.open) return 0;
    if (!constraint.condition) return constraint.variables.size();
    return stage.residue.size() + stage.partial_sums.size() + stage.partial_products.size();
  }

  RegionLimits limits_;
  NumberTables tables_;
  Region region_;
  std::vector<CompiledConstraint> constraints_;
  std::vector<std::size_t> order_;
  std::vector<std::uint16_t> assignments_, next_assignments_, scratch_;  // one representative for each node
  std::vector<double> key_, next_keys_;
  std::vector<std::uint32_t> table_;
  std::size_t next_count_ = 0;
};

Result<Region> Region::build(const Space& space, const Expression::Environment& known, RegionLimits limits) {
  Space closed = space;
  for (auto& constraint : closed.constraints) {
    constraint.condition = constraint.condition.substitute([&](std::string_view name) -> std::optional<Expression> {
      const auto is_name = [&](const Parameter& parameter) { return parameter.name == name; };
      if (!known || std::any_of(space.parameters.begin(), space.parameters.end(), is_name)) return std::nullopt;
      const auto value = known(name);
      if (!value) return std::nullopt;
      return Expression::literal(*value);
    });
  }
  return RegionBuilder(closed, limits).run();
}

}  // namespace hone::search
