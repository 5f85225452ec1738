#include "rules/vector_access.hpp"

#include <algorithm>
#include <map>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

class Access {
 public:
  explicit Access(const Unit& unit) : taken_(identifiers(unit.root)) {}

  NodePtr rewritten(const NodePtr& function) {
    const Symbols symbols(function);
    return rewrite(function, [&](const NodePtr& n) {
      const bool loads = n->kind == Kind::Call && n->text.starts_with("vload") && n->children.size() == 2;
      const bool stores = n->kind == Kind::Call && n->text.starts_with("vstore") && n->children.size() == 3;
      if (!loads && !stores) return n;
      const auto& vector = loads ? n->type : n->children[0]->type;
      const auto& offset = n->children[loads ? 0 : 1];
      const auto& pointer = n->children.back();
      const auto space = space_of(pointer, symbols);
      const bool named = space == AddressSpace::Global || space == AddressSpace::Local;
      if (!named || int_value(offset) != 0 || !vector.is_vector() || vector.lanes == 3) return n;
      const auto& callee = helper(loads, vector, space);
      return loads ? call(callee, {pointer}, n->type) : call(callee, {n->children[0], pointer}, n->type);
    });
  }

  const Nodes& helpers() const { return helpers_; }

 private:
  /// As declared: `fold` has names of private arrays that are typed as memory of the group.
  static AddressSpace space_of(NodePtr pointer, const Symbols& symbols) {
    while (is(pointer, Kind::Binary, "+")) pointer = left(pointer);
    const bool known = is(pointer, Kind::Name) && symbols.declares(pointer->text);
    const Type type = known ? symbols.type_of(pointer->text) : pointer->type;
    return type.is_pointer() ? type.pointee->space : type.space;
  }

  const std::string& helper(bool loads, const Type& vector, AddressSpace space) {
    const Type whole = scalar_type(vector.scalar, vector.lanes);
    const std::string wish = std::string(loads ? "load_" : "store_") + (space == AddressSpace::Local ? "local_" : "") +
                             scalar_name(vector.scalar) + std::to_string(vector.lanes);
    const auto [found, fresh] = names_.emplace(wish, "");
    if (!fresh) return found->second;
    found->second = fresh_name(wish, taken_);
    helpers_.push_back(loads ? load(found->second, whole, space) : store(found->second, whole, space));
    return found->second;
  }

  static NodePtr copied(const NodePtr& to, const NodePtr& from, int lanes) {
    const auto lane = name("l", int_type());
    return counted_loop("l", int_literal(0), int_literal(lanes), int_literal(1),
                        block({assign_statement(index(to, lane), index(from, lane))}));
  }

  static NodePtr load(const std::string& callee, const Type& whole, AddressSpace space) {
    Type element = in_space(lane_of(whole), space);
    element.is_const = true;
    const Type held = array_of(lane_of(whole), {whole.lanes});
    const auto from = name("from", pointer_to(element)), each = name("each", held);
    const auto all = call("vload" + std::to_string(whole.lanes), {int_literal(0), each}, whole);
    return function(whole, callee, {parameter(from->type, "from")},
                    block({declare(held, "each"), copied(each, from, whole.lanes), return_statement(all)}));
  }

  static NodePtr store(const std::string& callee, const Type& whole, AddressSpace space) {
    const Type held = array_of(lane_of(whole), {whole.lanes});
    const auto to = name("to", pointer_to(in_space(lane_of(whole), space))), each = name("each", held);
    const auto all = call("vstore" + std::to_string(whole.lanes), {name("all", whole), int_literal(0), each},
                          scalar_type(Scalar::Void));
    return function(scalar_type(Scalar::Void), callee, {parameter(whole, "all"), parameter(to->type, "to")},
                    block({declare(held, "each"), expression_statement(all), copied(to, each, whole.lanes)}));
  }

  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;
  Nodes helpers_;
};

}  // namespace

bool lacks_vector_access(const Mep& mep) {
  return std::any_of(mep.options.begin(), mep.options.end(),
                     [](const std::string& option) { return option.starts_with("-cl-std=CL2"); });
}

Unit with_own_vector_access(Unit unit, const std::vector<std::string>& kernels) {
  Access access(unit);
  for (const auto& name : kernels)
    if (const auto kernel = find_function(unit, name)) unit = with_function(std::move(unit), access.rewritten(kernel));
  auto children = unit.root->children;
  const auto first = std::find_if(children.begin(), children.end(), [&](const NodePtr& n) {
    return n->kind == Kind::Function && std::find(kernels.begin(), kernels.end(), n->text) != kernels.end();
  });
  children.insert(first, access.helpers().begin(), access.helpers().end());
  if (!access.helpers().empty()) unit.root = with_children(unit.root, std::move(children));
  return unit;
}

}  // namespace hone::rules
