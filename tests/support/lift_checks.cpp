#include "support/lift_checks.hpp"

#include <algorithm>

#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"

namespace hone::testing {
namespace {

using ir::NodePtr;

struct Step {
  NodePtr node;
  std::size_t child;
};

/// The first place where two trees part, told by the lines of their descriptions.
std::string parting(const NodePtr& a, const NodePtr& b) {
  if (a->kind == b->kind && a->children.size() == b->children.size())
    for (std::size_t i = 0; i < a->children.size(); ++i)
      if (!ir::same(a->children[i], b->children[i])) return parting(a->children[i], b->children[i]);
  return ir::describe(a) + "  became\n" + ir::describe(b);
}

NodePtr rebuilt(const std::vector<Step>& path, NodePtr replacement) {
  for (auto step = path.rbegin(); step != path.rend(); ++step)
    replacement = ir::with_child(step->node, step->child, std::move(replacement));
  return replacement;
}

class Leaks {
 public:
  Leaks(const ir::Unit& unit, const std::string& text, std::size_t stride)
      : unit_(unit), text_(text), stride_(stride) {}

  std::string run() {
    walk(unit_.root);
    return out_;
  }

 private:
  void walk(const NodePtr& node) {
    if (!out_.empty()) return;
    if (count_++ % stride_ == 0) check(node);
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      path_.push_back({node, i});
      walk(node->children[i]);
      path_.pop_back();
    }
  }

  void check(const NodePtr& node) {
    ir::Unit changed = unit_;
    changed.root = rebuilt(path_, ir::fresh(node));
    const auto printed = ir::print(changed);
    if (!printed) {
      out_ = printed.error().text();
      return;
    }
    auto owner = node;
    for (auto step = path_.rbegin(); !owner->origin.owns(); ++step) owner = step->node;
    const auto before = std::string_view(text_).substr(0, owner->origin.begin);
    const auto after = std::string_view(text_).substr(owner->origin.end);
    const bool kept =
        printed->size() >= before.size() + after.size() && printed->starts_with(before) && printed->ends_with(after);
    if (!kept) out_ = "a fresh copy changed bytes around it:\n" + ir::describe(node) + "in\n" + ir::describe(owner);
  }

  const ir::Unit& unit_;
  const std::string& text_;
  std::size_t stride_, count_ = 0;
  std::vector<Step> path_;
  std::string out_;
};

}  // namespace

std::string unfaithful(const ir::Lifter& lifter, const ir::Unit& unit, const std::string& text,
                       const ir::LiftOptions& options) {
  const auto same_bytes = ir::print(unit);
  if (!same_bytes) return same_bytes.error().text();
  if (*same_bytes != text) return "print(lift(s)) is not s";
  const auto forced = ir::force_print(unit, unit.dialect);
  if (!forced) return forced.error().text();
  const auto again = lifter.lift(*forced, unit.dialect, options);
  if (!again) return again.error().text();
  if (ir::same(again->root, unit.root)) return {};
  return "lift(force_print(t)) is not t:\n" + parting(unit.root, again->root);
}

std::string leaks(const ir::Unit& unit, const std::string& text, std::size_t stride) {
  return Leaks(unit, text, stride).run();
}

Share verbatim_share(const ir::Unit& unit) {
  Share share;
  for (const auto& function : ir::functions_of(unit))
    ir::for_each(function, [&](const NodePtr& n) {
      if (!ir::is_statement(*n) || n->kind == ir::Kind::Block || n->kind == ir::Kind::Directive) return;
      const auto lines = n->kind == ir::Kind::Verbatim
                             ? 1 + static_cast<std::size_t>(std::count(n->text.begin(), n->text.end(), '\n'))
                             : 1;
      share.statements += lines;
      if (n->kind == ir::Kind::Verbatim) share.verbatim += lines;
    });
  return share;
}

}  // namespace hone::testing
