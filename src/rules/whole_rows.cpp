#include "rules/whole_rows.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/own_names.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// One inside the other: of i / (w * h), i / w % h and i % w.
constexpr int most_branches = 3;
/// Beyond this the second copy takes longer to build than it could win back.
constexpr std::size_t largest_rest = 2000;

/// What is divided and by what.
struct Division {
  NodePtr dividend, divisor;
  explicit operator bool() const { return dividend != nullptr; }
};

class WholeRows {
 public:
  WholeRows(const NodePtr& function, const std::vector<Axis>& axes, SharedTurns& turns, std::set<std::string>& taken)
      : whole_(function), axes_(axes), turns_(turns), taken_(taken) {}

  NodePtr run() {
    for (int made = 0; made < most_branches; ++made) {
      const Symbols symbols(whole_);
      std::vector<Variance> variances;
      for (const auto& axis : axes_) variances.emplace_back(body_of(whole_), symbols, axis);
      symbols_ = &symbols, variances_ = &variances;
      const auto changed = in_lists(body_of(whole_));
      if (changed == body_of(whole_)) break;
      whole_ = with_child(whole_, whole_->children.size() - 1, changed);
    }
    return whole_;
  }

 private:
  /// The first list that has such a division in a statement of its own, from that statement on in two ways.
  NodePtr in_lists(const NodePtr& node) {
    if (is_expression(*node) || apart_.count(node.get()) != 0 || turns_.goes_alone(node)) return node;
    if (is(node, Kind::Block))
      for (std::size_t i = 0; i < node->children.size(); ++i) {
        const auto& s = node->children[i];
        const bool simple = is(s, Kind::Declare) || is(s, Kind::ExpressionStatement);
        if (!simple) {
          const auto inside = in_lists(s);
          if (inside != s) return with_child(node, i, inside);
          continue;
        }
        const Nodes rest(node->children.begin() + static_cast<std::ptrdiff_t>(i), node->children.end());
        const auto found = division_in(s, block(rest));
        if (!found || !may_stand_twice(block(rest))) continue;
        Nodes out(node->children.begin(), node->children.begin() + static_cast<std::ptrdiff_t>(i));
        const auto both = two_ways(found, rest);
        out.insert(out.end(), both.begin(), both.end());
        return with_children(node, std::move(out));
      }
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      if (is(node, Kind::Block) || is(node, Kind::Declare)) break;
      const auto inside = in_lists(node->children[i]);
      if (inside != node->children[i]) return with_child(node, i, inside);
    }
    return node;
  }

  /// Tiles of one group may go either way, and memory of the group has one place.
  bool may_stand_twice(const NodePtr& rest) const {
    return size_of_tree(rest) <= largest_rest && !has_barrier(rest) && !contains_verbatim(rest) &&
           !turns_.holds_limits(rest) && !any_of(rest, [](const NodePtr& n) {
             return n->kind == Kind::Variable && n->type.space != AddressSpace::Private;
           });
  }

  /// Certainly made by the statement, of values that nothing after it changes.
  Division division_in(const NodePtr& statement, const NodePtr& rest) const {
    Division found;
    const auto changed = written(rest), inside = declared(rest);
    const auto steady = [&](const NodePtr& e) {
      const auto names = read(e);
      return is_pure(e) && !touches_memory(e, *symbols_) &&
             std::none_of(names.begin(), names.end(),
                          [&](const std::string& n) { return changed.count(n) + inside.count(n) != 0; });
    };
    const auto see = [&](const NodePtr& n) {
      if (!found && (is(n, Kind::Binary, "%") || is(n, Kind::Binary, "/")) && divides(left(n), right(n)) &&
          steady(left(n)) && steady(right(n)))
        found = {left(n), right(n)};
      return static_cast<bool>(found);
    };
    for (const auto& child : statement->children) {
      const auto value = is(child, Kind::Variable) ? value_of(child) : child;
      if (value && !is(value, Kind::InitList)) each_unconditional(value, see);
      if (found) break;
    }
    return found;
  }

  bool divides(const NodePtr& dividend, const NodePtr& divisor) const {
    const auto counts = [](const Type& t) { return t.is_integer() && t.lanes == 1 && size_of(t) >= 4; };
    if (!counts(dividend->type) || !counts(divisor->type)) return false;
    if (common_type(dividend->type, divisor->type).is_signed() != dividend->type.is_signed()) return false;
    long long together = 1;
    bool moves = false;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const Change change = (*variances_)[a].of(dividend);
      if (!(*variances_)[a].of(divisor).uniform() || !change.even() || change.wraps || change.step < 0) return false;
      moves = moves || change.step > 0;
      together += change.step * (axes_[a].factor - 1);
    }
    const auto width = int_value(divisor);
    return moves && (!width || *width >= together);
  }

  Nodes two_ways(const Division& d, const Nodes& rest) {
    Type type = d.dividend->type, common = common_type(type, d.divisor->type);
    type.is_const = common.is_const = false;
    Nodes out;
    const auto limit = [&](const std::string& wish, const Type& of, const NodePtr& value, SharedLimit::Of which) {
      const auto held = fresh_name(wish, taken_);
      turns_.limits[held] = {value, which};
      out.push_back(declare(of, held));
      return name(held, of);
    };
    const auto first = limit("first_item", type, d.dividend, SharedLimit::Of::First);
    const auto last = limit("last_item", type, d.dividend, SharedLimit::Of::Last);
    const auto quotient = limit("quotient", common, binary("/", d.dividend, d.divisor), SharedLimit::Of::First);
    const auto remainder = limit("remainder", common, binary("%", d.dividend, d.divisor), SharedLimit::Of::First);
    NodePtr in_row = binary("<", binary("-", last, first), binary("-", d.divisor, remainder));
    if (type.is_signed()) in_row = binary("&&", binary(">=", first, int_literal(0)), in_row);
    // As a sum, which moves with the work-item in unsigned numbers too, where a difference might pass zero.
    const auto shift = binary("-", remainder, first);
    const auto column = binary("+", d.dividend, limit("to_column", common, shift, SharedLimit::Of::First));
    const auto together = rewrite(block(rest), [&](const NodePtr& n) {
      if (!(is(n, Kind::Binary, "%") || is(n, Kind::Binary, "/"))) return n;
      if (!same(left(n), d.dividend) || !same(right(n), d.divisor)) return n;
      return n->text == "%" ? column : quotient;
    });
    const auto apart = block(own_names(rest, declared(block(rest)), taken_, "_apart"));
    apart_.insert(apart.get());
    kept_.push_back(apart);
    out.push_back(if_then_else(in_row, together, apart));
    return out;
  }

  NodePtr whole_;
  const std::vector<Axis>& axes_;
  SharedTurns& turns_;
  std::set<std::string>& taken_;
  const Symbols* symbols_ = nullptr;
  const std::vector<Variance>* variances_ = nullptr;
  std::set<const Node*> apart_;
  Nodes kept_;  // so that no other node gets the place of one of `apart_`
};

}  // namespace

NodePtr with_whole_rows(const NodePtr& function, const std::vector<Axis>& axes, SharedTurns& turns,
                        std::set<std::string>& taken) {
  const bool loops = std::any_of(axes.begin(), axes.end(), [](const Axis& a) { return a.loop != nullptr; });
  return loops ? function : WholeRows(function, axes, turns, taken).run();
}

}  // namespace hone::rules
