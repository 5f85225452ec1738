#include "mep/mutants.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "ir/build.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"

namespace hone::mep {
namespace {

using ir::Kind;
using ir::NodePtr;

/// `hone_mutant == 7`: one where the mutant is on, else zero.
NodePtr is_on(int number) { return ir::binary("==", ir::name(kMutantScalar, ir::int_type()), ir::int_literal(number)); }
NodePtr minus_when_on(int number) { return ir::select(is_on(number), ir::int_literal(-1), ir::int_literal(1)); }

using Change = std::function<NodePtr(const NodePtr&, int)>;
struct Site {
  NodePtr node;
  std::string what;
  Change change;
};

bool is_plain_number(const NodePtr& node, bool integer) {
  return node->type.is_number() && (integer ? node->type.is_integer() : node->type.is_floating());
}

bool is_leaf(const NodePtr& node) { return ir::is(node, Kind::Name) || ir::is(node, Kind::Literal); }

/// All places of one function, parents before children.
class Sites {
 public:
  explicit Sites(std::vector<Site>& out) : out_(out) {}

  void in(const NodePtr& function) {
    const auto body = ir::body_of(function);
    if (!body) return;
    ir::visit(body, [&](const NodePtr& node) {
      switch (node->kind) {
        case Kind::Case:
        case Kind::Verbatim:
        case Kind::SizeOf:
        case Kind::InitList: return false;
        case Kind::Literal: constant(node); break;
        case Kind::Binary: operation(node); break;
        case Kind::Index: subscript(node); break;
        case Kind::For: last_element(node); break;
        case Kind::ExpressionStatement:
          if (ir::is(ir::operand(node), Kind::Assign)) dropped(node);
          break;
        default: break;
      }
      return true;
    });
  }

 private:
  void add(const NodePtr& node, std::string what, Change change) {
    if (node->origin.owns()) out_.push_back({node, std::move(what), std::move(change)});
  }

  void constant(const NodePtr& node) {
    if (is_plain_number(node, true) && ir::int_value(node))
      add(node, "a constant one larger",
          [](const NodePtr& n, int number) { return ir::binary("+", n, is_on(number)); });
    if (is_plain_number(node, false))
      add(node, "a constant one larger",
          [](const NodePtr& n, int number) { return ir::binary("+", n, is_on(number)); });
  }

  void operation(const NodePtr& node) {
    const auto& op = node->text;
    const bool numbers = ir::left(node)->type.is_number() && ir::right(node)->type.is_number();
    if (!numbers) return;
    if (op == "+" || op == "-") {
      add(node, op == "+" ? "minus for plus" : "plus for minus", [](const NodePtr& n, int number) {
        return ir::with_child(n, 1, ir::binary("*", ir::right(n), minus_when_on(number)));
      });
    }
    if (op == "-")
      add(node, "operands swapped",
          [](const NodePtr& n, int number) { return ir::binary("*", n, minus_when_on(number)); });
    if (op == "*" && is_leaf(ir::left(node)) && is_leaf(ir::right(node))) {
      add(node, "plus for times", [](const NodePtr& n, int number) {
        return ir::select(is_on(number), ir::binary("+", ir::left(n), ir::right(n)), n);
      });
      if (node->type.is_integer())
        add(ir::right(node), "another stride",
            [](const NodePtr& n, int number) { return ir::binary("+", n, is_on(number)); });
    }
    if (op == "/" && is_leaf(ir::left(node)) && is_leaf(ir::right(node)) && node->type.is_floating())
      add(node, "times for divided by", [](const NodePtr& n, int number) {
        return ir::select(is_on(number), ir::binary("*", ir::left(n), ir::right(n)), n);
      });
    const bool whole = ir::left(node)->type.is_integer() && ir::right(node)->type.is_integer();
    const bool below = op == "<" || op == ">=", above = op == ">" || op == "<=";
    if ((below || above) && whole)
      add(ir::right(node), "the edge of a comparison",
          [below](const NodePtr& n, int number) { return ir::binary(below ? "+" : "-", n, is_on(number)); });
    if ((op == "==" || op == "!=") && whole)
      add(node, "a comparison turned around",
          [](const NodePtr& n, int number) { return ir::binary("!=", n, is_on(number)); });
  }

  void subscript(const NodePtr& node) {
    if (is_plain_number(ir::index_value(node), true))
      add(ir::index_value(node), "index off by one",
          [](const NodePtr& n, int number) { return ir::binary("+", n, is_on(number)); });
  }

  void last_element(const NodePtr& node) {
    const auto& condition = ir::for_condition(node);
    if (!ir::is(condition, Kind::Binary) || (condition->text != "<" && condition->text != "<=")) return;
    if (is_plain_number(ir::right(condition), true))
      add(ir::right(condition), "the last turn of a loop left out",
          [](const NodePtr& n, int number) { return ir::binary("-", n, is_on(number)); });
  }

  void dropped(const NodePtr& node) {
    add(node, "a statement dropped", [](const NodePtr& n, int number) {
      return ir::if_then_else(ir::binary("!=", ir::name(kMutantScalar, ir::int_type()), ir::int_literal(number)),
                              ir::block({n}));
    });
  }

  std::vector<Site>& out_;
};

/// Functions that macros or code that was not understood may call keep their parameters.
std::set<std::string> called_unseen(const ir::Unit& unit) {
  std::set<std::string> out;
  ir::for_each(unit.root, [&](const NodePtr& node) {
    if (node->kind == Kind::Directive || node->kind == Kind::Verbatim || node->kind == Kind::TopLevel)
      out.merge(ir::identifiers(node));
  });
  return out;
}

/// Spread over all, so that no kind of fault and no part of the kernel is left out.
std::vector<Site> chosen(std::vector<Site> all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<Site> out;
  for (std::size_t i = 0; i < most; ++i) out.push_back(all[i * all.size() / most]);
  return out;
}

std::string shown(const NodePtr& node) {
  std::string text(trim(node->origin.bytes()));
  std::ranges::replace(text, '\n', ' ');
  return text.size() > 48 ? text.substr(0, 45) + "..." : text;
}

}  // namespace

Result<Mutated> mutated(const Mep& mep, const ir::Unit& unit, std::size_t most) {
  const auto unseen = called_unseen(unit);
  std::vector<Site> sites;
  std::set<std::string> switched;
  for (const auto& function : ir::functions_of(unit)) {
    if (!ir::body_of(function) || (!ir::is_kernel(*function) && unseen.contains(function->text))) continue;
    if (ir::is_kernel(*function) && find_kernel(mep, function->text) == nullptr) continue;
    switched.insert(function->text);
    Sites(sites).in(function);
  }
  sites = chosen(std::move(sites), most);
  if (sites.empty()) return fail("E-COMPLETE", "there is nothing in the kernel that could be mutated");
  Mutated out;
  std::map<const ir::Node*, std::vector<std::pair<int, const Site*>>> at;
  for (const auto& site : sites) {
    const int number = static_cast<int>(out.mutants.size()) + 1;
    at[site.node.get()].emplace_back(number, &site);
    const auto& source = *site.node->origin.source;
    out.mutants.push_back({number, line_of(source.text, site.node->origin.begin), site.what + ": " + shown(site.node)});
  }
  const auto changed = ir::rewrite(unit.root, [&](const NodePtr& node) -> NodePtr {
    NodePtr now = node;
    if (node->kind == Kind::Call && switched.contains(node->text)) {
      auto children = node->children;
      children.push_back(ir::name(kMutantScalar, ir::int_type()));
      now = ir::with_children(node, std::move(children));
    }
    if (node->kind == Kind::Function && switched.contains(node->text)) {
      auto children = node->children;
      const auto place = children.begin() + static_cast<std::ptrdiff_t>(ir::parameters_of(node).size());
      children.insert(place, ir::parameter(ir::int_type(), kMutantScalar));
      now = ir::with_children(node, std::move(children));
    }
    const auto found = at.find(node->original ? node->original.get() : node.get());
    if (found == at.end()) return now;
    for (const auto& [number, site] : found->second) now = site->change(now, number);
    return now;
  });
  ir::Unit program = unit;
  program.root = changed;
  auto source = ir::print(program);
  if (!source) return fail(std::move(source).error());
  out.mep = mep;
  out.mep.source = std::move(*source);
  for (auto& kernel : out.mep.kernels)
    kernel.arguments.push_back({kMutantScalar, ArgumentSpec::Kind::Scalar, "int", Access::Read});
  for (auto& workload : out.mep.workloads) {
    workload.scalars[kMutantScalar] = std::int64_t{0};
    each_launch(workload.launches, [](Launch& launch) {
      launch.arguments[kMutantScalar] = {Expression::name(kMutantScalar), {}, stated()};
    });
  }
  return out;
}

}  // namespace hone::mep
