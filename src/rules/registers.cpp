#include "rules/registers.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

class Promotion {
 public:
  Promotion(const Unit& unit, const NodePtr& function, const LaunchFacts& facts)
      : function_(function), facts_(facts), symbols_(function), taken_(identifiers(unit.root)) {}

  NodePtr run() { return rewrite_lists(function_); }
  const std::string& reason() const { return reason_; }
  bool changed() const { return changed_; }

 private:
  NodePtr rewrite_lists(const NodePtr& node) {
    Nodes children;
    for (const auto& child : node->children) {
      auto done = rewrite_lists(child);
      const bool list = node->kind == Kind::Block;
      if (!is(done, Kind::For)) {
        children.push_back(done);
        continue;
      }
      const auto before = list && !children.empty() ? children.back() : nullptr;
      auto replaced = promoted(done, before);
      if (list)
        children.insert(children.end(), replaced.begin(), replaced.end());
      else
        children.push_back(replaced.size() == 1 ? replaced.front() : block(std::move(replaced)));
    }
    return with_children(node, std::move(children));
  }

  Nodes promoted(const NodePtr& loop, const NodePtr& before) {
    const auto target = candidate(loop);
    if (!target) return {loop};
    Type type = target->type;
    type.is_const = false;
    type.space = AddressSpace::Private;
    const auto held = fresh_name(root_name(target)->text + "_held", taken_);
    const auto body = rewrite(for_body(loop), [&](const NodePtr& n) { return same(n, target) ? name(held, type) : n; });
    changed_ = true;
    Nodes out = {declare(type, held, target), with_child(loop, 3, body), assign_statement(target, name(held, type))};
    const auto stored = before ? assignment_of(before) : nullptr;
    if (stored && same(left(stored), target)) return out;
    return entered(loop, std::move(out));
  }

  /// A loop that does not run at all must not touch the element either.
  Nodes entered(const NodePtr& loop, Nodes out) {
    const auto& init = for_init(loop);
    if (is(for_condition(loop), Kind::Empty)) return {block(std::move(out))};
    std::map<std::string, NodePtr> start;
    if (is(init, Kind::Declare)) {
      for (const auto& v : init->children)
        if (value_of(v)) start[v->text] = value_of(v);
    } else if (const auto first = is(init, Kind::ExpressionStatement) ? assignment_of(init) : nullptr;
               first && is(left(first), Kind::Name)) {
      start[left(first)->text] = right(first);
    }
    return {if_then_else(substitute(for_condition(loop), start), block(std::move(out)))};
  }

  NodePtr candidate(const NodePtr& loop) {
    const auto changes = written(loop);
    const auto names = declared(loop);
    NodePtr found;
    for_each(for_body(loop), [&](const NodePtr& n) {
      if (found || n->kind != Kind::Assign || !is(left(n), Kind::Index)) return;
      const auto& target = left(n);
      if (!is_memory_access(target, symbols_) || !is_pure(target) || !target->type.is_number()) return;
      const auto root = root_name(target);
      if (!root || !symbols_.is_parameter(root->text) || !is(index_base(target), Kind::Name)) return;
      for (const auto& used : read(index_value(target)))
        if (changes.count(used) != 0 || names.count(used) != 0) return;
      if (touches_memory(index_value(target), symbols_)) return;
      if (alone(loop, target, root->text)) found = target;
    });
    return found;
  }

  bool alone(const NodePtr& loop, const NodePtr& target, const std::string& base) {
    const auto refuse = [&](const std::string& why) {
      if (reason_.empty()) reason_ = why;
      return false;
    };
    if (has_barrier(loop) || contains_verbatim(loop))
      return refuse("a barrier or unknown code stands in the loop over " + base);
    bool ok = true;
    for_each(loop, [&](const NodePtr& n) {
      if (!ok) return;
      if (n->kind == Kind::Return) ok = refuse("a return leaves the loop over " + base);
      if (n->kind == Kind::Call && !is_pure(n)) ok = refuse(n->text + " is called in the loop and may touch " + base);
      if (!is_memory_access(n, symbols_)) return;
      const auto root = root_name(n);
      if (!root) {
        ok = refuse("an access in the loop could not be followed to its buffer");
      } else if (root->text == base) {
        if (n->kind != Kind::Index || (!same(n, target)))
          ok = refuse(base + " is accessed at several places in the loop");
      } else if (!apart(base, root->text)) {
        ok = refuse(base + " and " + root->text +
                    " may be the same buffer: neither is restrict, and no launch shows them distinct");
      }
    });
    return ok;
  }

  bool apart(const std::string& a, const std::string& b) const {
    const Type ta = symbols_.type_of(a), tb = symbols_.type_of(b);
    if (tb.is_array() || (tb.pointee && ta.pointee && tb.pointee->space != ta.pointee->space)) return true;
    return ta.is_restrict || tb.is_restrict || facts_.distinct(a, b);
  }

  NodePtr function_;
  const LaunchFacts& facts_;
  Symbols symbols_;
  std::set<std::string> taken_;
  std::string reason_;
  bool changed_ = false;
};

}  // namespace

Result<NodePtr> keep_in_registers(const Unit& unit, const NodePtr& function, const LaunchFacts& facts) {
  if (auto reason = obstacle(unit, function); !reason.empty()) return fail("E-DECLINED", reason);
  Promotion promotion(unit, function, facts);
  auto out = promotion.run();
  if (promotion.changed()) return out;
  return fail("E-DECLINED",
              promotion.reason().empty() ? "no loop updates an element of memory in place" : promotion.reason());
}

}  // namespace hone::rules
