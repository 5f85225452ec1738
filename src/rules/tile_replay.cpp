// Tiles that do not lie inside as a whole, at the end of a kernel that has stored nothing yet: a loop over their
// work-items, or over narrower tiles, of which each asks for itself.
//
//   for (int item_1 = 0; item_1 < 4; item_1++) {
//     const int j = get_global_id(0) * 8, i = get_global_id(1) * 4 + item_1;
//     if (i < m && j + 7 < n) {
//       ...eight at once...
//       continue;
//     }
//     for (int item_0 = 0; item_0 < 8; item_0++) ...one by one...
//   }

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

NodePtr ends_its_turn(const NodePtr& body) {
  return rewrite(body, [](const NodePtr& n) { return is(n, Kind::Return) ? simple(Kind::Continue) : n; });
}

}  // namespace

NodePtr TileRewrite::replay() const {
  auto together = factors_;
  const auto& narrower = narrower_.body;
  if (narrower) {
    taken_.merge(identifiers(narrower));
    const auto& lanes = tile_.axes[*lanes_];
    if (!lanes.loop) together[lanes.dimension] /= narrower_.lanes;
    std::erase_if(together, [](const auto& entry) { return entry.second == 1; });
  }
  std::map<int, std::string> items;
  for (const auto& [dimension, factor] : together)
    items[dimension] = fresh_name("item_" + std::to_string(dimension), taken_);
  NodePtr body = rewrite(narrower ? narrower : block(body_), [&](const NodePtr& n) {
    if (n->kind != Kind::ThreadIndex) return n;
    return thread_at(n, together, [&](int dimension) -> NodePtr {
      const auto item = items.find(dimension);
      return item == items.end() ? nullptr : name(item->second, int_type());
    });
  });
  if (narrower && !items.empty()) body = ends_its_turn(body);
  for (const auto& [dimension, item] : items)
    body = counted_loop(item, int_literal(0), int_literal(together.at(dimension)), int_literal(1),
                        is(body, Kind::Block) ? body : block({body}));
  return body;
}

}  // namespace hone::rules
