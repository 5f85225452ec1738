// Expressions at one place of the tile: names get their copy, their step or their lane, thread indices their offset.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/arith.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

std::string lane_field(int lane) {
  static constexpr char digits[] = "0123456789abcdef";
  return std::string("s") + digits[lane];
}

}  // namespace

Point TileRewrite::origin() const {
  Point p(pins_.size());
  for (std::size_t a = 0; a < pins_.size(); ++a) p[a] = std::max(pins_[a], 0);
  return p;
}

/// Every place along these axes, the others at their pin or at 0; lanes stay one vector unless `with_lanes`.
std::vector<Point> TileRewrite::points(const std::vector<std::size_t>& axes, bool with_lanes) const {
  std::vector<Point> out = {origin()};
  for (const auto a : axes) {
    if (!free(a)) continue;
    if (lanes_ && a == *lanes_ && !with_lanes) {
      for (auto& p : out) p[a] = everywhere;
      continue;
    }
    std::vector<Point> next;
    for (const auto& p : out)
      for (int i = 0; i < tile_.axes[a].factor; ++i) {
        next.push_back(p);
        next.back()[a] = i;
      }
    out = std::move(next);
  }
  return out;
}

std::vector<std::size_t> TileRewrite::free_axes(const std::function<bool(const Variance&)>& test) const {
  std::vector<std::size_t> out;
  for (std::size_t a = 0; a < variances_.size(); ++a)
    if (free(a) && test(variances_[a])) out.push_back(a);
  return out;
}

std::vector<std::size_t> TileRewrite::axes_of(const NodePtr& e) const {
  return free_axes([&](const Variance& v) { return !v.of(e).uniform(); });
}

bool TileRewrite::varies_along_lanes(const NodePtr& e) const {
  return lanes_free() && !variances_[*lanes_].of(e).uniform();
}

std::vector<bool> TileRewrite::copied(const Holding& holding) const {
  std::vector<bool> out(holding.axes.size());
  for (std::size_t a = 0; a < out.size(); ++a) out[a] = holding.axes[a] == Held::Copies;
  return out;
}

std::string TileRewrite::copy_name(const std::string& name, const std::vector<bool>& copies, const Point& p) const {
  int number = 0;
  bool any = false;
  for (std::size_t a = 0; a < copies.size(); ++a) {
    if (!copies[a]) continue;
    any = true;
    number = number * tile_.axes[a].factor + std::max(p[a], 0);
  }
  if (!any) return name;
  const std::string wish = name + "_" + std::to_string(number);
  const auto found = names_.find(wish);
  if (found != names_.end()) return found->second;
  return names_[wish] = fresh_name(wish, taken_);
}

NodePtr TileRewrite::scalar_name(const NodePtr& e, const Point& p) const {
  const auto found = holdings_.find(e->text);
  if (found == holdings_.end()) return e;
  const Holding& held = found->second;
  if (lanes_ && held.axes[*lanes_] == Held::Clamped && p[*lanes_] > 0)
    return scalar(variances_[*lanes_].definition(e->text), p);
  const bool vector = lanes_ && held.axes[*lanes_] == Held::Vector;
  const std::string text = copy_name(e->text, copied(held), p);
  NodePtr out = text == e->text ? e : name(text, held.type);
  if (vector) {
    // An element of a private array is the vector, not the array.
    out = name(text, held.type.is_array() ? array_of(widened(held.type), held.type.extents) : widened(held.type));
    if (!held.type.is_array() && p[*lanes_] >= 0) out = member(out, lane_field(p[*lanes_]));
  }
  long long offset = 0;
  for (std::size_t a = 0; a < p.size(); ++a)
    if (held.axes[a] == Held::Step) offset += held.steps[a] * std::max(p[a], 0);
  return plus(out, offset);
}

/// Indices of the work-item before, from those it has now. `offset` is its place in the tile along a dimension.
NodePtr TileRewrite::thread_at(const NodePtr& e, const std::map<int, int>& factors,
                               const std::function<NodePtr(int)>& offset) const {
  const auto factor = factors.find(e->dimension);
  if (factor == factors.end()) return e;
  const bool ids = is_thread_index(e, Thread::GlobalId) || is_thread_index(e, Thread::LocalId);
  const bool sizes = is_thread_index(e, Thread::LocalSize) || is_thread_index(e, Thread::GlobalSize);
  if (sizes && !(tile_.keep_geometry && is_thread_index(e, Thread::GlobalSize)))
    return binary("*", e, int_literal(factor->second));
  if (!ids) return e;
  const auto base = binary("*", e, int_literal(factor->second));
  const auto more = offset(e->dimension);
  return more ? binary("+", base, more) : base;
}

NodePtr TileRewrite::scalar(const NodePtr& e, const Point& p) const {
  if (const auto hoisted = hoisted_.find(e.get()); hoisted != hoisted_.end()) {
    const Hoisted& h = hoisted->second;
    auto out = name(copy_name(h.name, h.copies, p), h.vector ? widened(h.type) : h.type);
    return h.vector && p[*lanes_] >= 0 ? member(out, lane_field(p[*lanes_])) : out;
  }
  if (e->kind == Kind::Name) return scalar_name(e, p);
  if (e->kind == Kind::ThreadIndex)
    return thread_at(e, factors_, [&](int dimension) -> NodePtr {
      long long offset = 0;
      for (std::size_t a = 0; a < p.size(); ++a)
        if (tile_.axes[a].dimension == dimension) offset += tile_.axes[a].unit * std::max(p[a], 0);
      return offset == 0 ? nullptr : int_literal(offset);
    });
  Nodes children;
  children.reserve(e->children.size());
  for (const auto& child : e->children) children.push_back(scalar(child, p));
  // An element of a private array that is held as vectors is one of their lanes.
  auto out = with_children(e, std::move(children));
  if (e->kind == Kind::Index && lanes_ && !is_memory_access(e, symbols_)) {
    const auto root = root_name(e);
    const auto held = root ? holdings_.find(root->text) : holdings_.end();
    const bool element = !e->type.is_array();
    if (element && held != holdings_.end() && held->second.axes[*lanes_] == Held::Vector)
      return p[*lanes_] >= 0 ? member(with_type(out, widened(e->type)), lane_field(p[*lanes_]))
                             : with_type(out, widened(e->type));
  }
  return out;
}

NodePtr TileRewrite::expression(const NodePtr& e, const Point& p) {
  return lanes_ && p[*lanes_] == everywhere ? wide(e, p) : scalar(e, p);
}

}  // namespace hone::rules
