#include "rules/group_fold.hpp"

#include <algorithm>
#include <optional>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/group_parts.hpp"
#include "rules/inline_helpers.hpp"
#include "rules/normal.hpp"
#include "rules/own_names.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// Beyond this a variant takes longer to build than it could ever win back.
constexpr std::size_t largest_tree = 60000;

bool is_local(const NodePtr& s) {
  return is(s, Kind::Declare) && !s->children.empty() &&
         std::all_of(s->children.begin(), s->children.end(),
                     [](const NodePtr& v) { return v->type.space == AddressSpace::Local; });
}

Type size() { return named_type(Scalar::ULong, "size_t"); }

/// The first call, here or in a helper, that all work-items of a group make together; "" when there is none.
std::string collective_in(const Unit& unit, const NodePtr& function, std::set<std::string> seen) {
  for (const auto& n : find_all(function, Kind::Call)) {
    for (const char* const word : {"work_group_", "sub_group", "async_work_group", "wait_group_events"})
      if (n->text.find(word) != std::string::npos) return n->text;
    const auto helper = find_function(unit, n->text);
    if (!helper || !seen.insert(n->text).second) continue;
    if (auto made = collective_in(unit, helper, seen); !made.empty()) return made;
  }
  return {};
}

class Folding {
 public:
  Folding(const Unit& unit, const NodePtr& function, const Group& group)
      : unit_(unit), function_(function), group_(group), taken_(identifiers(unit.root)) {
    taken_.merge(identifiers(function));
    for (std::size_t d = 0; d < 3; ++d) {
      items_.push_back(fresh_name(group.dimensions == 1 ? "items" : "items_" + std::to_string(d), taken_));
      first_.push_back(fresh_name(group.dimensions == 1 ? "first_item" : "first_item_" + std::to_string(d), taken_));
      item_.push_back(fresh_name(group.dimensions == 1 ? "item" : "item_" + std::to_string(d), taken_));
    }
  }

  Result<NodePtr> run(const NodePtr& original) {
    auto body = structured_body(function_);
    if (!body) return fail(std::move(body).error());
    for (const auto& s : *body) (is_local(s) ? locals_ : statements_).push_back(s);
    prepare();
    const auto whole = with_child(function_, function_->children.size() - 1, block(statements_));
    const Symbols symbols(whole);
    const GroupValues values(unit_, statements_, symbols, group_.dimensions);
    auto parts = parts_of(statements_, values, symbols, taken_);
    if (!parts) return fail(std::move(parts).error());
    values_ = &values;
    find_held(*parts);
    auto folded = emit(*parts);
    if (!reason_.empty()) return fail("E-DECLINED", reason_);
    if (group_.width > 1 && vectors_ == 0)
      return fail("E-DECLINED", "nothing the group does has a vector form" + (why_.empty() ? "" : ": " + why_));
    auto out = with_child(function_, function_->children.size() - 1, block(framed(std::move(folded), original)));
    if (size_of_tree(out) > largest_tree) return fail("E-DECLINED", "the kernel becomes too long to build");
    return out;
  }

 private:
  using Names = std::map<std::string, NodePtr>;

  bool launched(const NodePtr& n) const { return static_cast<std::size_t>(n->dimension) < group_.dimensions; }
  NodePtr decline(const std::string& why) {
    if (reason_.empty()) reason_ = why;
    return int_literal(0);
  }

  /// Ids become what the group has once and a work-item's own part: get_local_id().
  void prepare() {
    statements_ = counters_in_loops(statements_);
    std::set<std::string> used;
    for (const auto& p : parameters_of(function_)) used.insert(p->text);
    for (const auto& s : locals_)
      for (const auto& v : s->children) used.insert(v->text);
    statements_ = own_names(statements_, used, taken_);
    const auto whole = rewrite(block(statements_), [&](const NodePtr& n) {
      if (n->kind != Kind::ThreadIndex || !launched(n)) return n;
      const auto d = static_cast<std::size_t>(n->dimension);
      if (is_thread_index(n, Thread::LocalSize)) return name(items_[d], size());
      if (!is_thread_index(n, Thread::GlobalId)) return n;
      starts_.insert(d);
      return binary("+", name(first_[d], size()), thread_index(Thread::LocalId, n->dimension, size()));
    });
    statements_.clear();
    for (std::size_t d = 0; d < group_.dimensions; ++d)
      statements_.push_back(declare(constant(size()), items_[d], thread_index(Thread::LocalSize, static_cast<int>(d))));
    statements_.insert(statements_.end(), whole->children.begin(), whole->children.end());
  }

  static Type constant(Type type) {
    type.is_const = true;
    return type;
  }

  // What work-items hold from one part to another.

  static void each_part(const std::vector<Part>& parts, const std::function<void(const Part&)>& see) {
    for (const auto& p : parts) {
      see(p);
      each_part(p.inside, see);
      each_part(p.otherwise, see);
    }
  }

  static bool uses(const Part& part, const std::string& variable) {
    const auto named = [&](const NodePtr& n) { return is(n, Kind::Name, variable); };
    for (const auto& s : part.statements)
      if (any_of(s, named)) return true;
    if (part.kind == Part::Kind::Once) return any_of(part.node, named);
    if (part.kind != Part::Kind::Control) return false;
    return any_of(header_of(part.node), named);
  }

  static NodePtr header_of(const NodePtr& control) {
    Nodes parts = control->children;
    for (auto& part : parts)
      if (is_statement(*part) && !is(part, Kind::Declare) && !is(part, Kind::ExpressionStatement)) part = empty();
    return with_children(control, std::move(parts));
  }

  void find_held(const std::vector<Part>& parts) {
    each_part(parts, [&](const Part& home) {
      if (home.kind != Part::Kind::Items) return;
      for (const auto& s : home.statements) {
        if (!is(s, Kind::Declare)) continue;
        const auto& v = s->children.front();
        bool elsewhere = false;
        each_part(parts, [&](const Part& p) { elsewhere = elsewhere || (&p != &home && uses(p, v->text)); });
        if (values_->from_ids(v->text))
          again_.push_back(s);
        else if (elsewhere)
          hold(v);
      }
    });
  }

  void hold(const NodePtr& v) {
    Type type = v->type;
    type.is_const = false;
    if (type.space != AddressSpace::Private || type.pointee)
      return static_cast<void>(decline(v->text + " is a pointer of each work-item's own and lives across a barrier"));
    type.extents.push_back(group_.most);
    held_[v->text] = {fresh_name(v->text + "_of", taken_), type, v->type.extents.size()};
  }

  struct Held {
    std::string name;
    Type type;
    std::size_t extents = 0;
  };

  /// Among what the work-items of the group hold, that of the one at `place`.
  NodePtr own(const NodePtr& n, const NodePtr& place) {
    NodePtr base = n;
    Nodes indices;
    while (is(base, Kind::Index)) indices.insert(indices.begin(), index_value(base)), base = index_base(base);
    const auto found = is(base, Kind::Name) ? held_.find(base->text) : held_.end();
    if (found == held_.end()) {
      Nodes children;
      for (const auto& child : n->children) children.push_back(own(child, place));
      return with_children(n, std::move(children));
    }
    const auto& held = found->second;
    if (indices.size() != held.extents)
      return decline(base->text + " lives across a barrier and is not used by element");
    // Seen as memory: neighbouring work-items have neighbouring elements.
    NodePtr out = name(held.name, in_space(held.type, AddressSpace::Local));
    for (const auto& i : indices) out = index(out, own(i, place));
    return index(out, place);
  }

  NodePtr place() const {
    NodePtr row;
    for (std::size_t d = group_.dimensions; d-- > 1;) {
      const auto id = thread_index(Thread::LocalId, static_cast<int>(d), size());
      row = row ? binary("+", row, id) : id;
      row = binary("*", row, name(items_[d - 1], size()));
    }
    const auto id = thread_index(Thread::LocalId, 0, size());
    return row ? binary("+", row, id) : id;
  }

  Nodes first_values(const NodePtr& v) {
    const auto value = value_of(v);
    if (!value) return {};
    if (!v->type.is_array()) return {own(assign_statement(name(v->text, v->type), value), place())};
    if (!is(value, Kind::InitList) || v->type.extents.size() != 1 || v->type.extents[0] > 64 ||
        static_cast<std::int64_t>(value->children.size()) > v->type.extents[0]) {
      decline(v->text + " lives across a barrier and starts with a list");
      return {};
    }
    Nodes out;
    for (std::int64_t i = 0; i < v->type.extents[0]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto initial = at < value->children.size() ? value->children[at] : int_literal(0);
      out.push_back(own(assign_statement(index(name(v->text, v->type), int_literal(i)), initial), place()));
    }
    return out;
  }

  // Emission.

  Nodes emit(const std::vector<Part>& parts) {
    Nodes out;
    for (const auto& p : parts) {
      if (p.kind == Part::Kind::Once) {
        out.push_back(at_first(p.node));
      } else if (p.kind == Part::Kind::Control) {
        out.push_back(control(p));
      } else {
        for (const auto& s : p.statements)
          if (is(s, Kind::Declare))
            if (const auto held = held_.find(s->children[0]->text); held != held_.end())
              out.push_back(declare(held->second.type, held->second.name));
        const auto loops = items(p);
        out.insert(out.end(), loops.begin(), loops.end());
      }
    }
    return out;
  }

  NodePtr control(const Part& p) {
    const auto& s = p.node;
    const auto inside = block(emit(p.inside));
    if (is(s, Kind::If))
      return if_then_else(at_first(if_condition(s)), inside, p.otherwise.empty() ? nullptr : block(emit(p.otherwise)));
    if (is(s, Kind::For))
      return for_loop(at_first(for_init(s)), at_first(for_condition(s)), at_first(for_step(s)), inside);
    return is(s, Kind::While) ? while_loop(at_first(s->children[0]), inside)
                              : do_while(inside, at_first(s->children[1]));
  }

  static NodePtr with_ids(const NodePtr& node, const std::function<NodePtr(int)>& id) {
    return rewrite(node, [&](const NodePtr& n) {
      const auto other = is_thread_index(n, Thread::LocalId) ? id(n->dimension) : nullptr;
      return other ? other : n;
    });
  }
  NodePtr first_id(int dimension) const {
    return static_cast<std::size_t>(dimension) < group_.dimensions ? cast(size(), int_literal(0)) : nullptr;
  }

  /// What is the same for all, from the first work-item's point of view.
  NodePtr at_first(const NodePtr& s) {
    Names names;
    for (const auto& d : again_)
      names[d->children[0]->text] = *values_->over_ids(values_->definition(d->children[0]->text));
    const auto known = own(substitute(s, names), cast(size(), int_literal(0)));
    return with_ids(known, [&](int dimension) { return first_id(dimension); });
  }

  /// The statements of a part with everything a work-item needs for them.
  Nodes complete(const Part& p) {
    std::set<std::string> needed;
    Nodes rest;
    for (const auto& s : p.statements)
      if (!is_again(s)) rest.push_back(s);
    for_each(block(rest), [&](const NodePtr& n) {
      if (n->kind == Kind::Name) needed.insert(n->text);
    });
    for (auto d = again_.rbegin(); d != again_.rend(); ++d)
      if (needed.count((*d)->children[0]->text) != 0) needed.merge(read(value_of((*d)->children[0])));
    Nodes out;
    for (const auto& d : again_) {
      const bool here = std::find(p.statements.begin(), p.statements.end(), d) != p.statements.end();
      if (!here && needed.count(d->children[0]->text) != 0) out.push_back(d);
    }
    for (const auto& s : p.statements) {
      const auto declared_here = is(s, Kind::Declare) ? s->children[0] : nullptr;
      if (is_again(s) && needed.count(declared_here->text) == 0) continue;
      if (declared_here && held_.count(declared_here->text) != 0)
        for (const auto& first : first_values(declared_here)) out.push_back(first);
      else
        out.push_back(own(s, place()));
    }
    return out;
  }

  bool is_again(const NodePtr& declaration) const {
    return std::find(again_.begin(), again_.end(), declaration) != again_.end();
  }

  Nodes items(const Part& p) {
    const auto statements = complete(p);
    const bool idle = std::all_of(statements.begin(), statements.end(), [&](const NodePtr& s) {
      return is(s, Kind::Declare) && (!value_of(s->children[0]) || values_->quiet(value_of(s->children[0])));
    });
    if (idle) return {};
    if (p.first_only) return {with_ids(block(statements), [&](int dimension) { return first_id(dimension); })};
    const auto rows = [&](int dimension) -> NodePtr {
      const auto d = static_cast<std::size_t>(dimension);
      return d > 0 && d < group_.dimensions ? name(item_[d], size()) : nullptr;
    };
    const auto body = with_ids(block(statements), rows);
    const auto only_while = p.only_while ? with_ids(p.only_while, rows) : nullptr;
    NodePtr loops = along_row(body, only_while, p.one_by_one);
    for (std::size_t d = 1; d < group_.dimensions; ++d)
      loops = counted_loop(item_[d], int_literal(0), name(items_[d], size()), int_literal(1),
                           is(loops, Kind::Block) ? loops : block({loops}), size());
    return {loops};
  }

  /// item + offset is one of the group's and reached.
  NodePtr reached(const NodePtr& only_while, int offset) const {
    NodePtr at = name(item_[0], size());
    if (offset > 0) at = binary("+", at, int_literal(offset));
    const auto inside = binary("<", at, name(items_[0], size()));
    if (!only_while) return inside;
    return binary("&&", inside, with_ids(only_while, [&](int dimension) { return dimension == 0 ? at : nullptr; }));
  }

  NodePtr along_row(const NodePtr& body, const NodePtr& only_while, bool one_by_one) {
    const auto item = name(item_[0], size());
    const auto each = with_ids(body, [&](int dimension) { return dimension == 0 ? item : nullptr; });
    const auto wide = one_by_one || group_.width == 1 ? nullptr : as_vectors(body);
    if (!wide)
      return for_loop(declare(size(), item_[0], int_literal(0)), reached(only_while, 0), unary("post++", item), each);
    ++vectors_;
    return block(
        {declare(size(), item_[0], int_literal(0)),
         for_loop(empty(), reached(only_while, group_.width - 1), assign(item, int_literal(group_.width), "+="), wide),
         for_loop(empty(), reached(only_while, 0), unary("post++", item), each)});
  }

  /// The tile's engine takes the part for a kernel; the barrier before it keeps its replay of whole kernels away.
  NodePtr as_vectors(const NodePtr& body) {
    Nodes statements = {barrier()};
    statements.insert(statements.end(), body->children.begin(), body->children.end());
    const auto part = with_child(function_, function_->children.size() - 1, block(std::move(statements)));
    Tile tile;
    tile.axes = {{0, group_.width, 1, true}};
    tile.loops = {""};
    auto made = tile_work_items(with_function(unit_, part), part, tile, LaunchFacts());
    if (!made) {
      why_ = made.error().message();
      return nullptr;
    }
    Nodes out = body_of(*made)->children;
    if (out.empty() || !is(out.front(), Kind::Barrier)) return nullptr;
    out.erase(out.begin());
    const auto item = name(item_[0], size());
    return rewrite(block(std::move(out)), [&](const NodePtr& n) {
      const bool first = is(n, Kind::Binary, "*") && is_thread_index(left(n), Thread::LocalId) &&
                         left(n)->dimension == 0 && int_value(right(n)) == group_.width;
      return first ? item : n;
    });
  }

  /// The group's first work-item goes on alone; where there is no room for all, the original.
  Nodes framed(Nodes folded, const NodePtr& original) {
    NodePtr others, room;
    for (std::size_t d = 0; d < group_.dimensions; ++d) {
      const auto other = binary("!=", thread_index(Thread::LocalId, static_cast<int>(d)), int_literal(0));
      const auto along = thread_index(Thread::LocalSize, static_cast<int>(d));
      others = others ? binary("||", others, other) : other;
      room = room ? binary("*", room, along) : along;
    }
    Nodes out = {if_then_else(others, return_statement())};
    for (const auto d : starts_)
      out.push_back(declare(constant(size()), first_[d], thread_index(Thread::GlobalId, static_cast<int>(d))));
    out.insert(out.end(), folded.begin(), folded.end());
    if (!held_.empty() && !group_.certain) {
      Nodes before;
      for (const auto& s : body_of(original)->children)
        if (!is_local(s)) before.push_back(s);
      out = {if_then_else(binary("<=", room, int_literal(group_.most)), block(std::move(out)), block(before))};
    }
    out.insert(out.begin(), locals_.begin(), locals_.end());
    return out;
  }

  const Unit& unit_;
  NodePtr function_;
  Group group_;
  std::set<std::string> taken_;
  std::vector<std::string> items_, first_, item_;
  std::set<std::size_t> starts_;
  Nodes locals_, statements_, again_;
  std::map<std::string, Held> held_;
  const GroupValues* values_ = nullptr;
  int vectors_ = 0;
  std::string reason_, why_;
};

}  // namespace

Result<NodePtr> fold_group(const Unit& unit, const NodePtr& function, const Group& group) {
  if (auto reason = obstacle(unit, function); !reason.empty()) return fail("E-DECLINED", reason);
  const auto written = with_helpers_inlined(unit, function);
  if (const auto made = collective_in(unit, written, {}); !made.empty())
    return fail("E-DECLINED", "the work-items of a group call " + made + " together");
  return Folding(unit, written, group).run(function);
}

}  // namespace hone::rules
