// Calls: helpers of the unit, vector loads and stores, atomics, and everything else as a builtin.
#include <algorithm>
#include <cctype>
#include <utility>

#include "interpreter/work_group.hpp"

namespace hone::interpreter {
namespace {

/// vloadN and vstoreN: N elements from where the pointer stands, plus so many times N.
Place lanes_at(const Value& pointer, const Value& offset, int lanes) {
  if (!pointer.memory || !pointer.type.pointee) unsupported("a pointer to nothing");
  const ir::Type type = ir::scalar_type(pointer.type.pointee->scalar, lanes);
  const auto size = ir::size_of(ir::lane_of(type)) * lanes;
  return {pointer.memory, pointer.offset + offset.integer(0) * size, type, {}, true};
}

/// "add" of atomic_add, atom_add and atomicAdd; empty when it is none.
std::string atomic_operation(const std::string& name) {
  for (const std::string prefix : {"atomic_", "atom_", "atomic"})
    if (name.starts_with(prefix) && name.size() > prefix.size()) {
      std::string out = name.substr(prefix.size());
      std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
      return out;
    }
  return {};
}

}  // namespace

Value WorkGroup::call(const ir::NodePtr& e, std::size_t i) {
  std::vector<Value> arguments;
  for (const auto& a : e->children) arguments.push_back(evaluate(a, i));
  const auto callee = ir::find_function(launch_.unit, e->text);
  if (callee && ir::body_of(callee)) return called(callee, arguments, i);
  if (auto value = memory_call(e->text, arguments, e->type, i)) return *value;
  auto out = builtin(e->text, arguments, e->type);
  out.overflowed = std::any_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.overflowed; });
  return out;
}

Value WorkGroup::called(const ir::NodePtr& callee, const std::vector<Value>& arguments, std::size_t i) {
  Scope scope;
  const auto parameters = ir::parameters_of(callee);
  if (parameters.size() != arguments.size()) unsupported("a call of " + callee->text + " with other arguments");
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    auto& variable = scope[parameters[p]->text];
    const auto& type = parameters[p]->type;
    if (type.pointee) {
      variable.pointer = arguments[p];
      continue;
    }
    const auto size = ir::size_of(type);
    if (size <= 0) unsupported("the type of " + parameters[p]->text);
    variable.place = {allocate(parameters[p]->text, static_cast<std::size_t>(size)), 0, type, {}, false};
    store(variable.place, arguments[p]);
  }
  auto& item = items_[i];
  auto before = std::exchange(item.scopes, {globals_, std::move(scope)});
  ++apart_;
  execute(ir::body_of(callee), {i});
  --apart_;
  item.scopes = std::move(before);
  item.going = Going::On;
  return callee->type.scalar == ir::Scalar::Void ? Value{} : converted(item.returned, callee->type);
}

std::optional<Value> WorkGroup::memory_call(const std::string& name, const std::vector<Value>& arguments,
                                            const ir::Type& type, std::size_t i) {
  const auto checked = [&](const Place& place, const Value& pointer, const Value& at) {
    if ((pointer.overflowed || at.overflowed) && launch_.options.overflow_in_indices)
      undefined("an index into " + place.memory->name + " comes from a signed integer that overflowed");
    return place;
  };
  if (name.starts_with("vload") && arguments.size() == 2)
    return fetch(checked(lanes_at(arguments[1], arguments[0], type.lanes), arguments[1], arguments[0]), i);
  if (name.starts_with("vstore") && arguments.size() == 3) {
    const auto to = lanes_at(arguments[2], arguments[1], arguments[0].type.lanes);
    keep(checked(to, arguments[2], arguments[1]), arguments[0], i);
    return Value{};
  }
  if (name == "prefetch") return Value{};
  if (!atomic_operation(name).empty()) return atomic(name, arguments);
  return std::nullopt;
}

/// One after the other, in the order the work-items are run in; atomics are not looked at for races.
Value WorkGroup::atomic(const std::string& name, const std::vector<Value>& arguments) {
  const auto op = atomic_operation(name);
  if (arguments.empty()) unsupported("the function " + name);
  const auto place = pointed(arguments[0]);
  const auto before = load(place);
  const auto operand = arguments.size() > 1 ? converted(arguments[1], place.type) : int_value(1, ir::int_type());
  static const std::map<std::string, std::string> operators = {{"add", "+"}, {"sub", "-"}, {"inc", "+"}, {"dec", "-"},
                                                               {"and", "&"}, {"or", "|"},  {"xor", "^"}};
  const bool wraps = (op == "inc" || op == "dec") && arguments.size() > 1;  // CUDA's count up to a limit
  Value after = operand;
  if (const auto found = operators.find(op); found != operators.end() && !wraps)
    after = binary(found->second, before, operand);
  else if (op == "min" || op == "max")
    after = builtin(op, {before, operand}, place.type);
  else if (op == "cmpxchg" || op == "cas")
    after = binary("==", before, operand).truth() ? arguments.at(2) : before;
  else if (op != "xchg" && op != "exch")
    unsupported("the function " + name);
  after.overflowed = false;
  store(place, after);
  return before;
}

}  // namespace hone::interpreter
