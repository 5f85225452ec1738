#include "support/interpreter.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

#include "ir/build.hpp"
#include "support/interpreter_value.hpp"

namespace hone::testing {
namespace {

using ir::Kind;
using ir::NodePtr;

enum class Going { On, Broke, Continued, Returned };

/// A variable: bytes, or a pointer held as a value.
struct Variable {
  Place place;
  std::optional<Value> pointer;
};
using Scope = std::map<std::string, Variable>;
using Lanes = std::vector<std::size_t>;

struct Item {
  std::array<std::size_t, 3> local{};
  std::vector<Scope> scopes;
  Going going = Going::On;
  Value returned;
};

class Group {
 public:
  Group(const ir::Unit& unit, const Range& range, std::array<std::size_t, 3> group)
      : unit_(unit), range_(range), group_(group) {
    const auto& l = range.local;
    for (std::size_t z = 0; z < l[2]; ++z)
      for (std::size_t y = 0; y < l[1]; ++y)
        for (std::size_t x = 0; x < l[0]; ++x) items_.push_back({{x, y, z}, {Scope{}}, Going::On, {}});
    for (const auto& node : unit.root->children)
      if (node->kind == Kind::Declare)
        for (std::size_t i = 0; i < items_.size(); ++i) declare(node, i);
    globals_ = items_[0].scopes[0];
  }

  void run(const NodePtr& kernel, const std::vector<Variable>& arguments) {
    const auto parameters = ir::parameters_of(kernel);
    for (auto& item : items_) {
      item.scopes.emplace_back();
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        auto argument = arguments[p];
        if (!argument.pointer) {  // each work-item has its own copy
          auto own =
              Place{allocate(parameters[p]->text, argument.place.memory->bytes->size()), 0, argument.place.type, {}};
          store(own, load(argument.place));
          argument.place = own;
        }
        item.scopes.back()[parameters[p]->text] = argument;
      }
    }
    execute(ir::body_of(kernel), everybody());
  }

 private:
  Lanes everybody() const {
    Lanes all(items_.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  Lanes going_on(const Lanes& lanes) const {
    Lanes out;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(out),
                 [&](std::size_t i) { return items_[i].going == Going::On; });
    return out;
  }

  // Statements, for all work-items of `lanes`

  void execute(const NodePtr& s, const Lanes& lanes) {
    if (lanes.empty()) return;
    switch (s->kind) {
      case Kind::Block: return in_scope(lanes, [&] { sequence(s->children, lanes); });
      case Kind::Declare:
        for (const auto i : lanes) declare(s, i);
        return;
      case Kind::ExpressionStatement:
        for (const auto i : lanes) evaluate(s->children[0], i);
        return;
      case Kind::If: return branch(s, lanes);
      case Kind::For:
        return in_scope(lanes, [&] {
          execute(ir::for_init(s), lanes);
          loop(ir::for_condition(s), ir::for_step(s), ir::for_body(s), lanes, true);
        });
      case Kind::While: return loop(s->children[0], nullptr, s->children[1], lanes, true);
      case Kind::DoWhile: return loop(s->children[1], nullptr, s->children[0], lanes, false);
      case Kind::Switch: return choose(s, lanes);
      case Kind::Return:
        for (const auto i : lanes) {
          if (const auto value = ir::value_of(s)) items_[i].returned = evaluate(value, i);
          items_[i].going = Going::Returned;
        }
        return;
      case Kind::Break: return stop(lanes, Going::Broke);
      case Kind::Continue: return stop(lanes, Going::Continued);
      case Kind::Barrier: {
        const bool all = std::all_of(items_.begin(), items_.end(), [](const Item& i) { return i.going == Going::On; });
        if (!all || lanes.size() != items_.size()) throw Refused("a barrier that not all work-items reach");
        return;
      }
      case Kind::Directive:
      case Kind::Case:
      case Kind::Default:
      case Kind::Empty: return;
      default: throw Refused(std::string("a statement: ") + ir::kind_name(s->kind));
    }
  }

  void stop(const Lanes& lanes, Going going) {
    for (const auto i : lanes) items_[i].going = going;
  }

  template <class Inside>
  void in_scope(const Lanes& lanes, const Inside& inside) {
    for (const auto i : lanes) items_[i].scopes.emplace_back();
    inside();
    for (const auto i : lanes) items_[i].scopes.pop_back();
  }

  void sequence(const ir::Nodes& statements, const Lanes& lanes) {
    for (const auto& s : statements) execute(s, going_on(lanes));
  }

  void branch(const NodePtr& s, const Lanes& lanes) {
    Lanes yes, no;
    for (const auto i : lanes) (evaluate(ir::if_condition(s), i).truth() ? yes : no).push_back(i);
    execute(ir::if_then(s), yes);
    if (const auto otherwise = ir::if_else(s)) execute(otherwise, no);
  }

  void loop(const NodePtr& condition, const NodePtr& step, const NodePtr& body, Lanes lanes, bool test_first) {
    const auto ask = [&] {
      if (condition->kind == Kind::Empty) return;
      std::erase_if(lanes, [&](std::size_t i) { return !evaluate(condition, i).truth(); });
    };
    const Lanes all = lanes;
    for (int turns = 0; !lanes.empty(); ++turns) {
      if (turns > 100000) throw Refused("a loop of more than 100000 turns");
      if (test_first || turns > 0) ask();
      execute(body, lanes);
      for (const auto i : lanes)
        if (items_[i].going == Going::Continued) items_[i].going = Going::On;
      lanes = going_on(lanes);
      if (step && step->kind != Kind::Empty)
        for (const auto i : lanes) evaluate(step, i);
    }
    for (const auto i : all)
      if (items_[i].going == Going::Broke) items_[i].going = Going::On;
  }

  void choose(const NodePtr& s, const Lanes& lanes) {
    const auto& body = s->children[1]->children;
    for (const auto i : lanes) {
      const auto value = evaluate(s->children[0], i).integer(0);
      auto from = std::find_if(body.begin(), body.end(), [&](const NodePtr& n) {
        return n->kind == Kind::Case && evaluate(n->children[0], i).integer(0) == value;
      });
      if (from == body.end())
        from = std::find_if(body.begin(), body.end(), [](const NodePtr& n) { return n->kind == Kind::Default; });
      in_scope({i}, [&] { sequence({from, body.end()}, {i}); });
      if (items_[i].going == Going::Broke) items_[i].going = Going::On;
    }
  }

  void declare(const NodePtr& s, std::size_t i) {
    for (const auto& v : s->children) {
      Variable made;
      const bool shared = v->type.space == ir::AddressSpace::Local && !v->type.pointee;
      if (shared) {
        auto& memory = shared_[v.get()];
        if (!memory) memory = allocate(v->text, static_cast<std::size_t>(ir::size_of(v->type)));
        made.place = {memory, 0, v->type, {}};
      } else if (v->type.is_pointer()) {
        made.pointer = ir::value_of(v) ? evaluate(ir::value_of(v), i) : Value{};
      } else {
        const auto size = ir::size_of(v->type);
        if (size == 0) throw Refused("the type of " + v->text);
        made.place = {allocate(v->text, static_cast<std::size_t>(size)), 0, v->type, {}};
        if (const auto value = ir::value_of(v)) initialise(made.place, value, i);
      }
      items_[i].scopes.back()[v->text] = made;
    }
  }

  void initialise(const Place& place, const NodePtr& value, std::size_t i) {
    if (value->kind != Kind::InitList) return store(place, evaluate(value, i));
    const auto element = ir::element_of(place.type);
    auto at = place.offset;
    for (const auto& part : value->children) {
      initialise({place.memory, at, element, {}}, part, i);
      at += ir::size_of(element);
    }
  }

  // Expressions, for one work-item

  Variable& find(const std::string& name, std::size_t i) {
    auto& scopes = items_[i].scopes;
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) return found->second;
    throw Refused("the name " + name);
  }

  Place place_of(const NodePtr& e, std::size_t i) {
    switch (e->kind) {
      case Kind::Name: return find(e->text, i).place;
      case Kind::Index: {
        if (e->children[0]->type.is_vector()) throw Refused("an index into a vector");
        return pointed(binary("+", evaluate(e->children[0], i), evaluate(e->children[1], i)));
      }
      case Kind::Unary:
        if (e->text == "*") return pointed(evaluate(e->children[0], i));
        break;
      case Kind::Member: {
        Place at = place_of(e->children[0], i);
        if (!at.type.is_vector() || !at.lanes.empty()) throw Refused("the member " + e->text);
        at.lanes = swizzle(e->text, at.type.lanes);
        return at;
      }
      default: break;
    }
    throw Refused(std::string("a store to ") + ir::kind_name(e->kind));
  }

  static Place pointed(const Value& pointer) {
    if (!pointer.memory || !pointer.type.pointee) throw Refused("a pointer to nothing");
    return {pointer.memory, pointer.offset, *pointer.type.pointee, {}};
  }

  Value assign(const NodePtr& e, std::size_t i) {
    const auto& target = e->children[0];
    const auto op = e->text.substr(0, e->text.size() - 1);
    if (target->kind == Kind::Name && find(target->text, i).pointer) {
      const auto value = evaluate(e->children[1], i);
      auto& variable = find(target->text, i);
      return *(variable.pointer = op.empty() ? value : binary(op, *variable.pointer, value));
    }
    const auto value = evaluate(e->children[1], i);
    const auto place = place_of(target, i);
    store(place, op.empty() ? value : binary(op, load(place), value));
    return load(place);
  }

  Value stepped(const NodePtr& e, std::size_t i) {
    const bool post = e->text.starts_with("post");
    const auto op = e->text.ends_with("++") ? "+" : "-";
    const auto one = int_value(1, ir::int_type());
    const auto& target = e->children[0];
    if (target->kind == Kind::Name && find(target->text, i).pointer) {
      auto& pointer = find(target->text, i).pointer;
      const auto before = *pointer;
      pointer = binary(op, before, one);
      return post ? before : *pointer;
    }
    const auto place = place_of(target, i);
    const auto before = load(place);
    store(place, binary(op, before, one));
    return post ? before : load(place);
  }

  Value evaluate(const NodePtr& e, std::size_t i) {
    switch (e->kind) {
      case Kind::Literal: return literal(e);
      case Kind::Name: {
        if (e->text == "FLT_MAX") return real_value(3.402823466e+38, ir::float_type());
        const auto& variable = find(e->text, i);
        return variable.pointer ? *variable.pointer : load(variable.place);
      }
      case Kind::Index: return load(place_of(e, i));
      case Kind::Assign: return assign(e, i);
      case Kind::ThreadIndex: return thread_index(*e, i);
      case Kind::Cast: return converted(evaluate(e->children[0], i), e->type);
      case Kind::Select: {
        const auto condition = evaluate(e->children[0], i);
        if (condition.type.lanes > 1) throw Refused("a choice by a vector");
        return converted(evaluate(e->children[condition.truth() ? 1 : 2], i), plain_type(e->type));
      }
      case Kind::Binary: return binary_expression(e, i);
      case Kind::Unary:
        if (e->text.ends_with("++") || e->text.ends_with("--")) return stepped(e, i);
        if (e->text == "*") return load(place_of(e, i));
        if (e->text == "&") return address(e->children[0], i);
        return unary(e->text, evaluate(e->children[0], i));
      case Kind::Member: {
        const auto base = evaluate(e->children[0], i);
        const auto at = allocate("vector", 128);
        if (!base.type.is_vector()) throw Refused("the member " + e->text);
        store({at, 0, base.type, {}}, base);
        return load({at, 0, base.type, swizzle(e->text, base.type.lanes)});
      }
      case Kind::VectorLiteral: return vector(e, i);
      case Kind::Call: return call(e, i);
      case Kind::SizeOf:
        return int_value(ir::size_of(e->children.empty() ? e->type : e->children[0]->type), ir::size_type());
      default: throw Refused(std::string("an expression: ") + ir::kind_name(e->kind));
    }
  }

  static ir::Type plain_type(ir::Type type) {
    if (type.is_array()) return ir::pointer_to(ir::element_of(type));
    return type;
  }

  static Value literal(const NodePtr& e) {
    if (e->type.is_floating()) return real_value(std::strtod(e->text.c_str(), nullptr), e->type);
    if (const auto value = ir::int_value(e)) return int_value(*value, e->type);
    if (e->text.size() == 3 && e->text[0] == '\'') return int_value(e->text[1], e->type);
    throw Refused("the literal " + e->text);
  }

  Value binary_expression(const NodePtr& e, std::size_t i) {
    const auto a = evaluate(e->children[0], i);
    if (e->text == "&&" || e->text == "||") {
      const bool decided = a.truth() == (e->text == "||");
      return int_value(decided ? (a.truth() ? 1 : 0) : (evaluate(e->children[1], i).truth() ? 1 : 0), ir::int_type());
    }
    return binary(e->text, a, evaluate(e->children[1], i));
  }

  Value address(const NodePtr& e, std::size_t i) {
    const auto at = place_of(e, i);
    Value out;
    out.type = ir::pointer_to(at.type);
    out.memory = at.memory;
    out.offset = at.offset;
    return out;
  }

  Value vector(const NodePtr& e, std::size_t i) {
    Value out;
    out.type = e->type;
    const auto lane = ir::lane_of(e->type);
    std::size_t at = 0;
    for (const auto& part : e->children) {
      const auto value = evaluate(part, i);
      if (e->children.size() == 1 && value.type.lanes == 1) return converted(value, e->type);
      const auto fitted = converted(value, ir::scalar_type(lane.scalar, value.type.lanes));
      for (int l = 0; l < fitted.type.lanes; ++l, ++at) {
        out.integers[at] = fitted.integer(l);
        out.reals[at] = fitted.reals[static_cast<std::size_t>(fitted.type.lanes == 1 ? 0 : l)];
      }
    }
    return out;
  }

  Value thread_index(const ir::Node& e, std::size_t i) const {
    const auto d = static_cast<std::size_t>(e.dimension);
    const auto local = items_[i].local[d];
    std::size_t value = 0;
    if (e.text == "global_id")
      value = group_[d] * range_.local[d] + local;
    else if (e.text == "local_id")
      value = local;
    else if (e.text == "group_id")
      value = group_[d];
    else if (e.text == "global_size")
      value = range_.global[d];
    else if (e.text == "local_size")
      value = range_.local[d];
    else if (e.text == "num_groups")
      value = range_.global[d] / range_.local[d];
    return int_value(static_cast<std::int64_t>(value), e.type);
  }

  Value call(const NodePtr& e, std::size_t i) {
    std::vector<Value> arguments;
    for (const auto& a : e->children) arguments.push_back(evaluate(a, i));
    const auto callee = ir::find_function(unit_, e->text);
    if (!callee || !ir::body_of(callee)) return builtin(e->text, arguments, e->type);
    Scope scope;
    const auto parameters = ir::parameters_of(callee);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      auto& variable = scope[parameters[p]->text];
      const auto& type = parameters[p]->type;
      if (type.pointee) {
        variable.pointer = arguments.at(p);
        continue;
      }
      variable.place = {allocate(parameters[p]->text, static_cast<std::size_t>(ir::size_of(type))), 0, type, {}};
      store(variable.place, arguments.at(p));
    }
    auto& item = items_[i];
    auto before = std::exchange(item.scopes, {globals_, std::move(scope)});
    execute(ir::body_of(callee), {i});
    item.scopes = std::move(before);
    item.going = Going::On;
    return callee->type.scalar == ir::Scalar::Void ? Value{} : converted(item.returned, callee->type);
  }

  const ir::Unit& unit_;
  const Range& range_;
  std::array<std::size_t, 3> group_;
  std::vector<Item> items_;
  Scope globals_;
  std::map<const ir::Node*, MemoryPtr> shared_;
};

Variable bound(const NodePtr& parameter, const KernelArgument& argument) {
  Variable out;
  Value pointer;
  pointer.type = parameter->type;
  pointer.memory = allocate(parameter->text, 0);
  if (const auto* bytes = std::get_if<Bytes*>(&argument)) {
    pointer.memory->bytes = *bytes;
    out.pointer = pointer;
  } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
    pointer.memory = allocate(parameter->text, local->size);
    out.pointer = pointer;
  } else {
    const auto* whole = std::get_if<std::int64_t>(&argument);
    out.place = {allocate(parameter->text, 128), 0, parameter->type, {}};
    store(out.place, whole != nullptr ? int_value(*whole, ir::scalar_type(ir::Scalar::Long))
                                      : real_value(std::get<double>(argument), ir::scalar_type(ir::Scalar::Double)));
  }
  return out;
}

}  // namespace

Status interpret(const ir::Unit& unit, const std::string& kernel, const std::vector<KernelArgument>& arguments,
                 const Range& range) {
  const auto function = ir::find_function(unit, kernel);
  if (!function || !ir::body_of(function)) return fail("E-INTERPRET", "no kernel named " + kernel);
  const auto parameters = ir::parameters_of(function);
  if (parameters.size() != arguments.size()) return fail("E-INTERPRET", kernel + " takes other arguments");
  try {
    std::array<std::size_t, 3> group{};
    for (group[2] = 0; group[2] < range.global[2] / range.local[2]; ++group[2])
      for (group[1] = 0; group[1] < range.global[1] / range.local[1]; ++group[1])
        for (group[0] = 0; group[0] < range.global[0] / range.local[0]; ++group[0]) {
          std::vector<Variable> bindings;
          bindings.reserve(parameters.size());
          for (std::size_t p = 0; p < parameters.size(); ++p) bindings.push_back(bound(parameters[p], arguments[p]));
          Group(unit, range, group).run(function, bindings);
        }
  } catch (const Refused& refused) {
    return fail("E-INTERPRET", std::string("the interpreter refuses ") + refused.what());
  }
  return {};
}

}  // namespace hone::testing
