#include <algorithm>
#include <numeric>

#include "interpreter/work_group.hpp"

namespace hone::interpreter {

using ir::Kind;
using ir::NodePtr;

WorkGroup::WorkGroup(LaunchState& launch, std::array<std::size_t, 3> group) : launch_(launch), group_(group) {
  const auto& [global, local, offset] = launch.geometry;
  group_number_ =
      static_cast<std::uint32_t>((group[2] * (global[1] / local[1]) + group[1]) * (global[0] / local[0]) + group[0]);
  for (std::size_t z = 0; z < local[2]; ++z)
    for (std::size_t y = 0; y < local[1]; ++y)
      for (std::size_t x = 0; x < local[0]; ++x) items_.push_back({{x, y, z}, {Scope{}}, Going::On, {}});
  for (const auto& node : launch.unit.root->children)
    if (node->kind == Kind::Declare)
      for (std::size_t i = 0; i < items_.size(); ++i) declare(node, i);
  globals_ = items_[0].scopes[0];
}

void WorkGroup::run(const NodePtr& kernel, const std::vector<Variable>& arguments) {
  const auto parameters = ir::parameters_of(kernel);
  for (auto& item : items_) {
    item.scopes.emplace_back();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      auto argument = arguments[p];
      if (!argument.pointer) {  // each work-item has its own copy
        Place own = argument.place;
        own.memory = allocate(parameters[p]->text, argument.place.memory->bytes->size());
        store(own, load(argument.place));
        argument.place = own;
      }
      item.scopes.back()[parameters[p]->text] = argument;
    }
  }
  execute(ir::body_of(kernel), everybody());
}

Active WorkGroup::everybody() const {
  Active all(items_.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

Active WorkGroup::going_on(const Active& active) const {
  Active out;
  std::copy_if(active.begin(), active.end(), std::back_inserter(out),
               [&](std::size_t i) { return items_[i].going == Going::On; });
  return out;
}

void WorkGroup::count(std::size_t steps) {
  launch_.steps += steps;
  if (launch_.steps > launch_.options.most_steps)
    unsupported("more than " + std::to_string(launch_.options.most_steps) + " steps");
  constexpr std::uint64_t kBetweenQuestions = 4096;
  if (!launch_.options.enough || launch_.steps < launch_.ask_at) return;
  launch_.ask_at = launch_.steps + kBetweenQuestions;
  if (launch_.options.enough()) unsupported("interpreting it takes too long");
}

void WorkGroup::execute(const NodePtr& s, const Active& active) {
  if (active.empty()) return;
  count(active.size());
  try {
    execute_kind(s, active);
  } catch (Stopped& stopped) {
    if (stopped.finding.line == 0) stopped.finding.line = line_of(*s);
    throw;
  }
}

void WorkGroup::execute_kind(const NodePtr& s, const Active& active) {
  switch (s->kind) {
    case Kind::Block: return in_scope(active, [&] { sequence(s->children, active); });
    case Kind::Declare:
      for (const auto i : active) declare(s, i);
      return;
    case Kind::ExpressionStatement:
      for (const auto i : active) evaluate(s->children[0], i);
      return;
    case Kind::If: return branch(s, active);
    case Kind::For:
      return in_scope(active, [&] {
        execute(ir::for_init(s), active);
        loop(ir::for_condition(s), ir::for_step(s), ir::for_body(s), active, true);
      });
    case Kind::While: return loop(s->children[0], nullptr, s->children[1], active, true);
    case Kind::DoWhile: return loop(s->children[1], nullptr, s->children[0], active, false);
    case Kind::Switch: return choose(s, active);
    case Kind::Return:
      for (const auto i : active) {
        if (const auto value = ir::value_of(s)) items_[i].returned = evaluate(value, i);
        items_[i].going = Going::Returned;
      }
      return;
    case Kind::Break: return halt(active, Going::Broke);
    case Kind::Continue: return halt(active, Going::Continued);
    case Kind::Barrier: return wait(s, active);
    case Kind::Directive:
    case Kind::Case:
    case Kind::Default:
    case Kind::Empty: return;
    default: unsupported(std::string("a statement of the kind ") + ir::kind_name(s->kind));
  }
}

void WorkGroup::halt(const Active& active, Going going) {
  for (const auto i : active) items_[i].going = going;
}

void WorkGroup::wait(const NodePtr& s, const Active& active) {
  if (apart_ > 0) unsupported("a barrier inside a function or a switch");
  const bool all = std::all_of(items_.begin(), items_.end(), [](const Item& i) { return i.going == Going::On; });
  if (!all || active.size() != items_.size())
    stop(Finding::Kind::DivergentBarrier, "a barrier is reached by " + std::to_string(active.size()) + " of the " +
                                              std::to_string(items_.size()) + " work-items of a group");
  // A fence orders what it names; in CUDA and HIP every barrier orders all.
  const bool everything = launch_.unit.dialect != ir::Dialect::OpenCL;
  if (everything || s->text.find("local") != std::string::npos) ++local_epoch_;
  if (everything || s->text.find("global") != std::string::npos) ++global_epoch_;
}

void WorkGroup::sequence(const ir::Nodes& statements, const Active& active) {
  for (const auto& s : statements) execute(s, going_on(active));
}

void WorkGroup::branch(const NodePtr& s, const Active& active) {
  Active yes, no;
  for (const auto i : active) (evaluate(ir::if_condition(s), i).truth() ? yes : no).push_back(i);
  execute(ir::if_then(s), yes);
  if (const auto otherwise = ir::if_else(s)) execute(otherwise, no);
}

void WorkGroup::loop(const NodePtr& condition, const NodePtr& step, const NodePtr& body, Active active,
                     bool test_first) {
  const auto ask = [&] {
    if (condition->kind == Kind::Empty) return;
    std::erase_if(active, [&](std::size_t i) { return !evaluate(condition, i).truth(); });
  };
  const Active all = active;
  for (bool first = true; !active.empty(); first = false) {
    count(active.size());
    if (test_first || !first) ask();
    execute(body, active);
    for (const auto i : active)
      if (items_[i].going == Going::Continued) items_[i].going = Going::On;
    active = going_on(active);
    if (step && step->kind != Kind::Empty)
      for (const auto i : active) evaluate(step, i);
  }
  for (const auto i : all)
    if (items_[i].going == Going::Broke) items_[i].going = Going::On;
}

void WorkGroup::choose(const NodePtr& s, const Active& active) {
  const auto& body = s->children[1]->children;
  ++apart_;
  for (const auto i : active) {
    const auto value = evaluate(s->children[0], i).integer(0);
    auto from = std::find_if(body.begin(), body.end(), [&](const NodePtr& n) {
      return n->kind == Kind::Case && evaluate(n->children[0], i).integer(0) == value;
    });
    if (from == body.end())
      from = std::find_if(body.begin(), body.end(), [](const NodePtr& n) { return n->kind == Kind::Default; });
    in_scope({i}, [&] { sequence({from, body.end()}, {i}); });
    if (items_[i].going == Going::Broke) items_[i].going = Going::On;
  }
  --apart_;
}

void WorkGroup::declare(const NodePtr& s, std::size_t i) {
  for (const auto& v : s->children) {
    Variable made;
    const auto size = v->type.pointee ? 0 : ir::size_of(v->type);
    if (v->type.space == ir::AddressSpace::Local && !v->type.pointee) {
      if (size <= 0) unsupported("the size of " + v->text);
      auto& memory = shared_[v.get()];
      if (!memory) memory = allocate_local(v->text, static_cast<std::size_t>(size));
      made.place = {memory, 0, v->type, {}, false};
    } else if (v->type.is_pointer()) {
      made.pointer = ir::value_of(v) ? evaluate(ir::value_of(v), i) : Value{};
    } else {
      if (size <= 0) unsupported("the type of " + v->text);
      const auto value = ir::value_of(v);
      const auto bytes = static_cast<std::size_t>(size);
      made.place = {value ? allocate(v->text, bytes) : allocate_unwritten(v->text, bytes), 0, v->type, {}, false};
      if (value) initialise(made.place, value, i);
    }
    items_[i].scopes.back()[v->text] = made;
  }
}

void WorkGroup::initialise(const Place& place, const NodePtr& value, std::size_t i) {
  if (value->kind != Kind::InitList) return store(place, evaluate(value, i));
  const auto element = place.type.is_vector() ? ir::lane_of(place.type) : ir::element_of(place.type);
  auto at = place.offset;
  for (const auto& part : value->children) {
    initialise({place.memory, at, element, {}, false}, part, i);
    at += ir::size_of(element);
  }
}

}  // namespace hone::interpreter
