#include "rules/split_vectors.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/each_statement.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

constexpr int most_components = 4;
constexpr std::string_view letters = "xyzw";

/// Which components a swizzle names; nothing for .lo, .even and what is no swizzle.
std::optional<std::vector<int>> components(const std::string& field) {
  std::vector<int> out;
  if (field.size() > 1 && (field[0] == 's' || field[0] == 'S')) {
    for (const char c : field.substr(1)) {
      if (c < '0' || c > '3') return std::nullopt;
      out.push_back(c - '0');
    }
    return out;
  }
  for (const char c : field) {
    const auto at = letters.find(c);
    if (at == std::string_view::npos) return std::nullopt;
    out.push_back(static_cast<int>(at));
  }
  return out;
}

std::string letter(int component) { return std::string(1, letters[static_cast<std::size_t>(component)]); }

Type element(const Type& type) {
  Type out = lane_of(type);
  out.is_const = false;
  out.name.clear();
  return out;
}

class Splitter {
 public:
  explicit Splitter(const NodePtr& function) : function_(function), taken_(identifiers(function)) { choose(); }

  NodePtr run() {
    if (split_.empty()) return function_;
    Nodes children = function_->children;
    children.back() = with_children(body_of(function_), list(body_of(function_)->children));
    return possible_ ? with_children(function_, std::move(children)) : function_;
  }

 private:
  /// Private short vectors whose address nobody takes.
  void choose() {
    std::map<std::string, int> declared;
    std::set<std::string> refused;
    for (const auto& p : parameters_of(function_)) refused.insert(p->text);
    for_each(body_of(function_), [&](const NodePtr& n) {
      if (n->kind == Kind::Variable) {
        ++declared[n->text];
        const bool fits = n->type.is_vector() && n->type.lanes <= most_components && n->qualifiers.empty() &&
                          n->type.space == AddressSpace::Private && lane_of(n->type).is_number() &&
                          n->type.scalar != Scalar::Half;
        if (!fits) refused.insert(n->text);
      }
      const bool steps =
          n->kind == Kind::Unary && (n->text.ends_with("++") || n->text.ends_with("--") || n->text == "&");
      if (steps || n->kind == Kind::Index)
        if (const auto root = root_name(n->children[0])) refused.insert(root->text);
      if (n->kind == Kind::Member && n->children[0]->kind == Kind::Name && n->children[0]->type.is_vector() &&
          !components(n->text))
        refused.insert(n->children[0]->text);
    });
    for (const auto& [name, times] : declared) {
      if (times > 1 || refused.count(name) != 0) continue;
      for (int c = 0; c < most_components; ++c) split_[name].push_back(fresh_name(name + "_" + letter(c), taken_));
    }
  }

  bool is_split(const NodePtr& e) const { return is(e, Kind::Name) && split_.count(e->text) != 0; }
  bool mentions_split(const NodePtr& e) const {
    return any_of(e, [&](const NodePtr& n) { return is_split(n); });
  }
  NodePtr part(const std::string& variable, const Type& type, int c) const {
    return name(split_.at(variable)[static_cast<std::size_t>(c)], element(type));
  }
  NodePtr give_up() {
    possible_ = false;
    return empty();
  }

  Nodes list(const Nodes& statements) {
    return each_statement(statements, [this](const NodePtr& s) { return statement(s); });
  }
  NodePtr inside(const NodePtr& body) {
    return each_inside(body, [this](const NodePtr& s) { return statement(s); });
  }

  Nodes statement(const NodePtr& s) {
    bound_.clear();
    Nodes out;
    switch (s->kind) {
      case Kind::Block: return {inside(s)};
      case Kind::Declare: return declaration(s);
      case Kind::ExpressionStatement: return effect(s);
      case Kind::If: {
        Nodes parts = {whole(if_condition(s), &out)};
        for (std::size_t i = 1; i < s->children.size(); ++i) parts.push_back(inside(s->children[i]));
        out.push_back(with_children(s, std::move(parts)));
        return out;
      }
      case Kind::For:
        for (const auto& head : {for_init(s), for_condition(s), for_step(s)})
          if (any_of(head, [&](const NodePtr& n) { return n->kind == Kind::Variable && split_.count(n->text) != 0; }) ||
              assigns_split(head))
            possible_ = false;
        return {with_children(s, {whole(for_init(s), nullptr), whole(for_condition(s), nullptr),
                                  whole(for_step(s), nullptr), inside(for_body(s))})};
      case Kind::While: return {with_children(s, {whole(s->children[0], nullptr), inside(s->children[1])})};
      case Kind::DoWhile: return {with_children(s, {inside(s->children[0]), whole(s->children[1], nullptr)})};
      default:
        if (mentions_split(s)) possible_ = false;
        return {s};
    }
  }

  bool assigns_split(const NodePtr& e) const {
    return any_of(e, [&](const NodePtr& n) {
      if (n->kind != Kind::Assign) return false;
      const auto root = root_name(left(n));
      return root && split_.count(root->text) != 0;
    });
  }

  Nodes declaration(const NodePtr& s) {
    Nodes out;
    for (const auto& v : s->children) {
      bound_.clear();
      const auto value = value_of(v);
      if (split_.count(v->text) == 0) {
        if (value && assigns_split(value)) possible_ = false;
        const auto done = value ? with_children(v, {whole(value, &out)}) : v;
        if (done == v && s->children.size() == 1) return {s};
        out.push_back(declare_all({done}));
        continue;
      }
      Type type = element(v->type);
      type.is_const = v->type.is_const;
      for (int c = 0; c < v->type.lanes; ++c) {
        const auto initial = value ? component(value, c, &out) : nullptr;
        parts_.push_back(declare(type, split_.at(v->text)[static_cast<std::size_t>(c)], initial));
      }
      out.insert(out.end(), parts_.begin(), parts_.end());
      parts_.clear();
    }
    return out;
  }

  Nodes effect(const NodePtr& s) {
    const auto& e = s->children[0];
    Nodes out;
    if (!is(e, Kind::Assign)) {
      if (assigns_split(e)) possible_ = false;
      const auto done = whole(e, &out);
      out.push_back(with_children(s, {done}));
      return out;
    }
    const auto root = root_name(left(e));
    if (assigns_split(right(e))) possible_ = false;
    if (!root || split_.count(root->text) == 0) {
      const auto value = whole(right(e), &out);
      const auto target = whole(left(e), &out);
      out.push_back(with_children(s, {with_children(e, {target, value})}));
      return out;
    }
    std::vector<int> places;
    if (is(left(e), Kind::Name)) {
      for (int c = 0; c < left(e)->type.lanes; ++c) places.push_back(c);
    } else if (is(left(e), Kind::Member) && is(left(e)->children[0], Kind::Name)) {
      places = components(left(e)->text).value_or(std::vector<int>{});
    }
    if (places.empty()) possible_ = false;
    const Type vector = root->type;
    const auto op = e->text == "=" ? std::string() : e->text.substr(0, e->text.size() - 1);
    // x += e as it stands, where no other component is in the way.
    const bool plain_update = size_of(element(vector)) >= 4 && read(right(e)).count(root->text) == 0;
    Nodes values;
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto value = right(e)->type.lanes > 1 ? component(right(e), static_cast<int>(i), &out)
                                            : fitting(whole(right(e), &out), element(vector));
      if (!op.empty() && !plain_update)
        value = small(binary(op, part(root->text, vector, places[i]), value), element(vector));
      values.push_back(value);
    }
    // A component that was already set must not be read as it was not before.
    bool early = false;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = i + 1; j < places.size(); ++j)
        early = early || read(values[j]).count(part(root->text, vector, places[i])->text) != 0;
    for (std::size_t i = 0; early && i < places.size(); ++i) {
      Type type = element(vector);
      type.is_const = true;
      const auto held = fresh_name(root->text + "_next", taken_);
      out.push_back(declare(type, held, values[i]));
      values[i] = name(held, type);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
      out.push_back(assign_statement(part(root->text, vector, places[i]), values[i], plain_update ? e->text : "="));
    return out;
  }

  /// Arithmetic on chars and shorts stays as narrow as it is in a vector.
  static NodePtr small(const NodePtr& e, const Type& type) { return size_of(type) < 4 ? cast(type, e) : e; }
  static NodePtr fitting(const NodePtr& e, const Type& type) {
    return alike(lane_of(e->type), type) ? e : cast(type, e);
  }

  NodePtr whole(const NodePtr& e, Nodes* before) {
    if (!possible_) return e;
    if (is_split(e)) {
      Nodes parts;
      for (int c = 0; c < e->type.lanes; ++c) parts.push_back(part(e->text, e->type, c));
      return vector_literal(e->type, std::move(parts));
    }
    if (e->kind == Kind::Member && e->children[0]->type.is_vector() && mentions_split(e)) {
      const auto places = components(e->text);
      if (!places) return give_up();
      Nodes parts;
      for (const int c : *places) parts.push_back(component(e->children[0], c, before));
      return parts.size() == 1 ? parts.front() : vector_literal(e->type, std::move(parts));
    }
    if (is(e, Kind::Call, "dot") && e->type.scalar != Scalar::Half && mentions_split(e) &&
        e->children[0]->type.lanes > 1 && alike(e->children[0]->type, e->children[1]->type)) {
      NodePtr sum;
      for (int c = 0; c < e->children[0]->type.lanes; ++c) {
        const auto product = binary("*", component(e->children[0], c, before), component(e->children[1], c, before));
        sum = sum ? binary("+", sum, product) : product;
      }
      return sum;
    }
    const bool chooses = e->kind == Kind::Select || is(e, Kind::Binary, "&&") || is(e, Kind::Binary, "||");
    Nodes children;
    for (std::size_t i = 0; i < e->children.size(); ++i)
      children.push_back(whole(e->children[i], chooses && i > 0 ? nullptr : before));
    return with_children(e, std::move(children));
  }

  NodePtr component(const NodePtr& e, int c, Nodes* before) {
    if (!possible_) return e;
    if (e->type.lanes <= 1) return scalar(e, before);
    if (e->type.lanes > most_components) return give_up();
    const Type type = element(e->type);
    const auto of = [&](const NodePtr& x) {
      return x->type.lanes > 1 ? component(x, c, before) : fitting(component(x, c, before), type);
    };
    switch (e->kind) {
      case Kind::Name: return is_split(e) ? part(e->text, e->type, c) : member(e, letter(c), type);
      case Kind::Unary:
        if (e->text == "-" || e->text == "~" || e->text == "+") return small(unary(e->text, of(operand(e))), type);
        return e->text == "*" && is_pure(e) ? member(whole(e, before), letter(c), type) : give_up();
      case Kind::Binary: {
        static const std::set<std::string> known = {"+", "-", "*", "/", "%", "&", "|", "^"};
        if (known.count(e->text) == 0) return give_up();
        return small(binary(e->text, of(left(e)), of(right(e))), type);
      }
      case Kind::Member: {
        const auto places = e->children[0]->type.is_vector() ? components(e->text) : std::nullopt;
        if (places) return component(e->children[0], (*places)[static_cast<std::size_t>(c)], before);
        return is_pure(e) ? member(whole(e, before), letter(c), type) : give_up();  // a field that is a vector
      }
      case Kind::VectorLiteral: return literal_component(e, c, before);
      case Kind::Select: {
        if (e->children[0]->type.lanes > 1 || !is_pure(e->children[0])) return give_up();
        return select(whole(e->children[0], before), component(e->children[1], c, nullptr),
                      component(e->children[2], c, nullptr));
      }
      case Kind::Cast: {
        const bool across = operand(e)->type.lanes > 1 && !alike(operand(e)->type, e->type);
        return across ? give_up() : fitting(component(operand(e), c, before), type);
      }
      case Kind::Index: return is_pure(e) ? member(whole(e, before), letter(c), type) : give_up();
      case Kind::Call: return call_component(e, c, before);
      default: return give_up();
    }
  }

  NodePtr literal_component(const NodePtr& e, int c, Nodes* before) {
    const Type type = element(e->type);
    if (e->children.size() == 1 && e->children[0]->type.lanes <= 1)
      return fitting(component(e->children[0], 0, before), type);
    int at = 0;
    for (const auto& piece : e->children) {
      const int lanes = std::max(piece->type.lanes, 1);
      if (c < at + lanes) return fitting(component(piece, c - at, before), type);
      at += lanes;
    }
    return give_up();
  }

  NodePtr call_component(const NodePtr& e, int c, Nodes* before) {
    const Type type = element(e->type);
    const std::string plain = std::string("convert_") + scalar_name(type.scalar) + std::to_string(e->type.lanes);
    if (e->text == plain && e->children.size() == 1 && e->children[0]->type.lanes == e->type.lanes)
      return fitting(component(e->children[0], c, before), type);
    const bool numbers = std::all_of(e->children.begin(), e->children.end(), [&](const NodePtr& a) {
      return a->type.is_plain() && a->type.scalar == type.scalar &&
             (a->type.lanes == 1 || a->type.lanes == e->type.lanes);
    });
    if (is_elementwise(e->text) && numbers) {
      Nodes arguments;
      for (const auto& a : e->children) arguments.push_back(component(a, c, before));
      return call(e->text, std::move(arguments), type);
    }
    const auto all = held(e, before);  // known only as a whole
    return all ? member(all, letter(c), type) : give_up();
  }

  /// Beside a vector: computed once for all its components.
  NodePtr scalar(const NodePtr& e, Nodes* before) {
    const bool simple = size_of_tree(e) <= 6 && !any_of(e, [](const NodePtr& n) { return n->kind == Kind::Call; });
    if (simple && is_pure(e)) return whole(e, before);
    if (before == nullptr) return is_pure(e) ? whole(e, before) : give_up();
    const auto once = held(e, before);
    return once ? once : give_up();
  }

  /// A variable for the value, the same one for as long as the statement lasts; null where there is no place for it.
  NodePtr held(const NodePtr& e, Nodes* before) {
    if (const auto found = bound_.find(e.get()); found != bound_.end()) return found->second;
    if (before == nullptr || assigns_split(e) || !e->type.is_plain() || e->type.scalar == Scalar::Unknown)
      return nullptr;
    Type all = e->type;
    all.is_const = true;
    all.space = AddressSpace::Private;
    const auto value = whole(e, before);
    const auto variable = fresh_name(e->kind == Kind::Call ? "all_of_" + e->text : "factor", taken_);
    before->push_back(declare(all, variable, value));
    return bound_[e.get()] = name(variable, all);
  }

  NodePtr function_;
  std::set<std::string> taken_;
  std::map<std::string, std::vector<std::string>> split_;
  std::map<const Node*, NodePtr> bound_;
  Nodes parts_;
  bool possible_ = true;
};

}  // namespace

NodePtr with_vectors_split(const NodePtr& function) { return body_of(function) ? Splitter(function).run() : function; }

}  // namespace hone::rules
