#include "rules/partial_sums.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/axis_loops.hpp"
#include "rules/normal.hpp"

namespace hone::rules {
using namespace ir;

namespace {

int times_named(const NodePtr& node, const std::string& variable) {
  int out = 0;
  for_each(node, [&](const NodePtr& n) { out += is(n, Kind::Name, variable) ? 1 : 0; });
  return out;
}

/// Sums and products, and what a part of them starts from.
std::optional<long long> neutral(const std::string& op) {
  if (op == "+" || op == "|" || op == "^") return 0;
  if (op == "*") return 1;
  return std::nullopt;
}

/// `s + e`, `e + s - f`, `s * e`: the operator by which everything is added to the variable; "" for anything else.
std::string added_by(const NodePtr& e, const std::string& s) {
  if (e->kind != Kind::Binary) return "";
  const auto op = e->text == "-" ? "+" : e->text;
  if (!neutral(op)) return "";
  for (const std::size_t side : {0U, 1U}) {
    if (side == 1 && e->text == "-") continue;
    if (times_named(e->children[1 - side], s) != 0) continue;
    const auto& spine = e->children[side];
    if (is(spine, Kind::Name, s) || added_by(spine, s) == op) return op;
  }
  return "";
}

bool is_least_or_greatest(const std::string& callee) {
  return callee == "min" || callee == "max" || callee == "fmin" || callee == "fmax";
}

/// `e > s` where s is the variable, either way round: e, and whether it stands first.
struct Compared {
  NodePtr other;
  bool first = false;
};
std::optional<Compared> compared_with(const NodePtr& c, const std::string& s) {
  if (!is(c, Kind::Binary) || (c->text != "<" && c->text != ">" && c->text != "<=" && c->text != ">="))
    return std::nullopt;
  if (is(right(c), Kind::Name, s) && times_named(left(c), s) == 0) return Compared{left(c), true};
  if (is(left(c), Kind::Name, s) && times_named(right(c), s) == 0) return Compared{right(c), false};
  return std::nullopt;
}

/// `if (e > s) s = e;` as `s = e > s ? e : s`; the statement itself when it is anything else.
NodePtr as_choice(const NodePtr& s) {
  if (!is(s, Kind::If) || if_else(s)) return s;
  const auto then = statements_of(if_then(s));
  const auto set = then.size() == 1 ? assignment_of(then.front()) : nullptr;
  if (!set || set->text != "=" || !is(left(set), Kind::Name)) return s;
  const auto compared = compared_with(if_condition(s), left(set)->text);
  if (!compared || !same(compared->other, right(set)) || !is_pure(right(set))) return s;
  return assign_statement(left(set), select(if_condition(s), right(set), left(set)));
}

/// How one assignment adds to the variable; the key is the same for all that may be mixed.
struct Way {
  std::string key;
  NodePtr model;  // of the assignment, when it is not a plain sum or product
};

std::optional<Way> way_of(const NodePtr& e, const std::string& s, const Type& type) {
  const bool steps = is(e, Kind::Unary) && (e->text.ends_with("++") || e->text.ends_with("--"));
  if (steps && is(operand(e), Kind::Name, s)) return Way{"+", nullptr};
  if (!is(e, Kind::Assign) || !is(left(e), Kind::Name, s)) return std::nullopt;
  const auto& value = right(e);
  // A whole number that takes real ones loses a part of each.
  if (!value->type.is_number() || (type.is_integer() && !value->type.is_integer())) return std::nullopt;
  if (e->text != "=") {
    const auto op = e->text == "-=" ? std::string("+") : e->text.substr(0, e->text.size() - 1);
    return neutral(op) && times_named(value, s) == 0 ? std::optional(Way{op, nullptr}) : std::nullopt;
  }
  if (const auto op = added_by(value, s); !op.empty()) return Way{op, nullptr};
  if (!alike(value->type, type)) return std::nullopt;
  const auto& parts = value->children;
  if (value->kind == Kind::Call && (value->text == "fma" || value->text == "mad") && parts.size() == 3)
    return is(parts[2], Kind::Name, s) && times_named(value, s) == 1 ? std::optional(Way{"+", nullptr}) : std::nullopt;
  if (value->kind == Kind::Call && is_least_or_greatest(value->text) && parts.size() == 2 &&
      times_named(value, s) == 1 && (is(parts[0], Kind::Name, s) || is(parts[1], Kind::Name, s)))
    return Way{value->text, value};
  if (value->kind != Kind::Select) return std::nullopt;
  const auto compared = compared_with(parts[0], s);
  if (!compared || times_named(value, s) != 2 || !alike(compared->other->type, type)) return std::nullopt;
  const bool takes = same(parts[1], compared->other) && is(parts[2], Kind::Name, s);
  if (!takes || !is_pure(compared->other)) return std::nullopt;
  const auto& op = parts[0]->text;
  return Way{(op[0] == '>') == compared->first ? "greater" : "less", value};
}

/// The assignment that adds a part as those in the loop do.
NodePtr adding(const Way& way, const NodePtr& s, const NodePtr& part) {
  if (!way.model) return assign(s, part, way.key + "=");
  if (way.model->kind == Kind::Call) return assign(s, call(way.model->text, {s, part}, s->type));
  return assign(s, select(binary(way.key == "greater" ? ">" : "<", part, s), part, s));
}

bool may_be_gathered(const Type& type) {
  return type.is_number() && type.is_plain() && type.lanes == 1 && type.space == AddressSpace::Private &&
         type.scalar != Scalar::Half && type.scalar != Scalar::Bool && size_of(type) >= 4;
}

NodePtr with_choices(const NodePtr& loop) {
  return rewrite(loop, [](const NodePtr& n) { return as_choice(n); });
}

}  // namespace

std::vector<Gathered> gathered_by(const NodePtr& loop, const Symbols& symbols) {
  const auto plain = with_choices(loop);
  const auto inside = declared(loop);
  std::vector<Gathered> out;
  for (const auto& variable : written(for_body(loop))) {
    Type type = symbols.type_of(variable);
    if (inside.count(variable) != 0 || !may_be_gathered(type)) continue;
    type.is_const = false;
    int known = 0;
    bool one = true;
    std::optional<Way> first;
    for (const auto& s : find_all(for_body(plain), Kind::ExpressionStatement)) {
      const auto way = way_of(s->children[0], variable, type);
      if (!way) continue;
      known += times_named(s, variable);
      one = one && (!first || first->key == way->key);
      if (!first) first = way;
    }
    if (!first || !one || known != times_named(plain, variable)) continue;
    const auto whole = name(variable, type);
    const auto start = neutral(first->key) ? int_literal(*neutral(first->key)) : whole;
    const auto part = variable + "_part";
    out.push_back({variable, type, start, adding(*first, whole, name(part, type)), part});
  }
  return out;
}

namespace {

class Splitting {
 public:
  Splitting(const NodePtr& function, std::vector<Axis>& axes, std::set<std::string>& taken)
      : axes_(axes), taken_(taken) {
    out_.function = function;
  }

  Parts run() {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if (axes_[a].loop && done_.count(axes_[a].loop.get()) == 0) split(a);
    return std::move(out_);
  }

 private:
  void split(std::size_t first) {
    const auto loop = axes_[first].loop;
    const auto gathered = gathered_by(loop, Symbols(out_.function));
    if (gathered.empty()) return;
    std::map<std::string, NodePtr> renamed;
    Nodes before, after;
    for (const auto& g : gathered) {
      const auto part = name(fresh_name(g.part, taken_), g.type);
      renamed[g.name] = part;
      before.push_back(declare(g.type, part->text, g.start));
      after.push_back(expression_statement(substitute(g.together, {{g.part, part}})));
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        if (axes_[a].loop != loop) continue;
        axes_[a].parts.insert(part->text);
        out_.by_name[part->text].axes.push_back(a);
      }
      out_.by_name[part->text].of = g.name;
    }
    const auto own = substitute(with_choices(loop), renamed);
    Nodes all = std::move(before);
    all.push_back(own);
    all.insert(all.end(), after.begin(), after.end());
    out_.function = with_loop_in_place(out_.function, axes_, loop, own, std::move(all));
    done_.insert(own.get());
  }

  std::vector<Axis>& axes_;
  std::set<std::string>& taken_;
  std::set<const Node*> done_;
  Parts out_;
};

}  // namespace

Parts with_partial_sums(const NodePtr& function, std::vector<Axis>& axes, std::set<std::string>& taken) {
  return Splitting(function, axes, taken).run();
}

}  // namespace hone::rules
