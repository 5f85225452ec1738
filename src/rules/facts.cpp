#include "rules/facts.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {
using namespace ir;

Symbols::Symbols(const NodePtr& function) {
  for (const auto& p : parameters_of(function)) {
    parameters_.insert(p->text);
    add(p->text, p->type);
  }
  for_each(function, [&](const NodePtr& n) {
    if (n->kind == Kind::Variable) add(n->text, n->type);
  });
}

void Symbols::add(const std::string& name, const Type& type) {
  const auto [found, inserted] = types_.emplace(name, type);
  if (!inserted && !alike(found->second, type)) conflict_ = name;
}

Type Symbols::type_of(const std::string& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? Type{} : found->second;
}

bool is_memory_access(const NodePtr& access, const Symbols& symbols) {
  if (access->kind != Kind::Index && !is(access, Kind::Unary, "*")) return false;
  const auto root = root_name(access);
  if (!root) return true;
  const Type type = symbols.declares(root->text) ? symbols.type_of(root->text) : root->type;
  return !type.is_array() || type.space != AddressSpace::Private || type.pointee != nullptr;
}

bool touches_memory(const NodePtr& node, const Symbols& symbols) {
  return any_of(node, [&](const NodePtr& n) { return is_memory_access(n, symbols); });
}

/// Builtins that give a value and do nothing else, and are not elementwise over arguments of one type.
static bool only_gives_value(const std::string& callee) {
  static const std::set<std::string> known = {
      "dot",      "cross", "length",  "distance", "normalize", "fast_length", "fast_distance", "fast_normalize",
      "abs",      "isnan", "isinf",   "isfinite", "select",    "bitselect",   "all",           "any",
      "popcount", "clz",   "ldexp",   "ilogb",    "pown",      "rootn",       "abs_diff",      "mul_hi",
      "hadd",     "rhadd", "add_sat", "sub_sat"};
  if (known.count(callee) != 0) return true;
  for (const char* prefix : {"convert_", "vload", "as_", "get_image_", "read_image"})
    if (callee.starts_with(prefix)) return true;
  return false;
}

bool is_pure(const NodePtr& expression) {
  return !any_of(expression, [](const NodePtr& n) {
    if (n->kind == Kind::Assign || n->kind == Kind::Verbatim) return true;
    if (n->kind == Kind::Unary) return n->text.ends_with("++") || n->text.ends_with("--") || n->text == "&";
    return n->kind == Kind::Call && !is_elementwise(n->text) && !only_gives_value(n->text);
  });
}

bool is_harmless(const NodePtr& expression, const Symbols& symbols) {
  return is_pure(expression) && !touches_memory(expression, symbols) && !any_of(expression, [](const NodePtr& n) {
           const bool divides = n->kind == Kind::Binary && (n->text == "/" || n->text == "%") && n->type.is_integer();
           return divides ||
                  (n->kind == Kind::Call && (n->text.starts_with("vload") || n->text.starts_with("read_image")));
         });
}

void each_unconditional(const NodePtr& e, const std::function<bool(const NodePtr&)>& take) {
  if (take(e)) return;
  const bool chooses = e->kind == Kind::Select || is(e, Kind::Binary, "&&") || is(e, Kind::Binary, "||");
  for (std::size_t i = 0; i < (chooses ? 1 : e->children.size()); ++i) each_unconditional(e->children[i], take);
}

bool jumps_out(const NodePtr& s) {
  if (s->kind == Kind::Break || s->kind == Kind::Continue) return true;
  if (s->kind == Kind::For || s->kind == Kind::While || s->kind == Kind::DoWhile) return false;
  return std::any_of(s->children.begin(), s->children.end(), jumps_out);
}

bool is_harmless_after(const NodePtr& before, const NodePtr& expression, const Symbols& symbols) {
  Nodes loaded;
  each_unconditional(before, [&](const NodePtr& n) {
    if (is_memory_access(n, symbols)) loaded.push_back(n);
    return false;
  });
  const auto known = rewrite(expression, [&](const NodePtr& n) {
    const bool again = std::any_of(loaded.begin(), loaded.end(), [&](const NodePtr& l) { return same(l, n); });
    return again ? int_literal(0) : n;
  });
  return is_harmless(known, symbols);
}

bool is_elementwise(const std::string& callee) {
  static const std::set<std::string> known = {
      "sqrt",  "rsqrt", "cbrt",  "exp",      "exp2",  "exp10",  "expm1",   "log",     "log2",      "log10", "log1p",
      "sin",   "cos",   "tan",   "asin",     "acos",  "atan",   "sinh",    "cosh",    "tanh",      "sinpi", "cospi",
      "fabs",  "floor", "ceil",  "trunc",    "round", "rint",   "pow",     "powr",    "fmin",      "fmax",  "fmod",
      "mad",   "fma",   "hypot", "atan2",    "erf",   "erfc",   "mix",     "step",    "sign",      "min",   "max",
      "clamp", "fdim",  "mul24", "copysign", "mad24", "rotate", "degrees", "radians", "smoothstep"};
  static const std::set<std::string> roots = {"sqrt", "rsqrt", "exp",  "exp2",   "log",   "log2",  "sin",
                                              "cos",  "tan",   "powr", "divide", "recip", "exp10", "log10"};
  if (known.count(callee) != 0) return true;
  for (const std::string prefix : {"native_", "half_"})
    if (callee.starts_with(prefix)) return roots.count(callee.substr(prefix.size())) != 0;
  return false;
}

bool has_barrier(const NodePtr& node) {
  return any_of(node,
                [](const NodePtr& n) { return n->kind == Kind::Barrier || (n->effects && n->effects->may_barrier); });
}

bool depends_on_groups(const NodePtr& function) {
  return any_of(function, [](const NodePtr& n) {
    if (n->kind == Kind::ThreadIndex)
      return n->text != thread_name(Thread::GlobalId) && n->text != thread_name(Thread::GlobalSize) &&
             n->text != thread_name(Thread::GlobalOffset);
    if (n->kind == Kind::Variable || n->kind == Kind::Parameter)
      return n->type.space == AddressSpace::Local || (n->type.pointee && n->type.pointee->space == AddressSpace::Local);
    return n->kind == Kind::Barrier;
  });
}

bool uses_thread_index(const NodePtr& node) {
  return any_of(node, [](const NodePtr& n) { return n->kind == Kind::ThreadIndex; });
}

std::size_t size_of_tree(const NodePtr& node) {
  std::size_t count = 0;
  for_each(node, [&](const NodePtr&) { ++count; });
  return count;
}

namespace {

std::string first_line(const std::string& text) {
  const auto line = text.substr(0, text.find('\n'));
  return line.size() > 60 ? line.substr(0, 57) + "..." : line;
}

std::string untouchable(const NodePtr& function) {
  std::string reason;
  for_each(function, [&](const NodePtr& n) {
    if (!reason.empty()) return;
    if (n->kind == Kind::Verbatim) reason = "`" + first_line(n->text) + "` was not understood and cannot be duplicated";
    if (n->kind == Kind::Directive && !n->text.starts_with("#pragma"))
      reason = "`" + first_line(n->text) + "` stands inside the kernel: a rewrite would hold for one branch only";
    if ((n->kind == Kind::Variable || n->kind == Kind::Parameter) &&
        (n->type.is_volatile || (n->type.pointee && n->type.pointee->is_volatile)))
      reason = n->text + " is volatile";
  });
  return reason;
}

}  // namespace

std::string obstacle(const Unit& unit, const NodePtr& function) {
  if (!function || !body_of(function)) return "the kernel has no body here";
  if (auto reason = untouchable(function); !reason.empty()) return reason;
  std::set<std::string> seen = {function->text};
  Nodes open = {function};
  while (!open.empty()) {
    const auto current = open.back();
    open.pop_back();
    for (const auto& call : find_all(current, Kind::Call)) {
      const auto callee = find_function(unit, call->text);
      if (!callee || !body_of(callee) || !seen.insert(call->text).second) continue;
      if (uses_thread_index(callee) || has_barrier(callee))
        return "the helper " + call->text + " reads work-item indices or waits at a barrier itself";
      open.push_back(callee);
    }
  }
  return {};
}

std::set<std::string> reassigned(const NodePtr& node, bool headers) {
  std::set<std::string> out;
  if (!headers && node->kind == Kind::For) return reassigned(for_body(node), headers);
  const bool steps =
      node->kind == Kind::Unary && (node->text.ends_with("++") || node->text.ends_with("--") || node->text == "&");
  if (node->kind == Kind::Assign || steps)
    if (const auto root = root_name(node->children[0])) out.insert(root->text);
  if (node->effects) out.insert(node->effects->writes.begin(), node->effects->writes.end());
  for (const auto& child : node->children) out.merge(reassigned(child, headers));
  return out;
}

}  // namespace hone::rules
