#include "ir/double_obstacles.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "ir/rewrite.hpp"

namespace hone::ir {
namespace {

/// Smooth functions of floats, and functions that have nothing to do with floats.
constexpr std::array kSame = {
    "abs",       "abs_diff", "acos",     "acosh",     "acospi", "add_sat",      "asin",     "asinh",
    "asinpi",    "atan",     "atan2",    "atan2pi",   "atanh",  "atanpi",       "barrier",  "cbrt",
    "clamp",     "clz",      "copysign", "cos",       "cosh",   "cospi",        "cross",    "degrees",
    "distance",  "dot",      "erf",      "erfc",      "exp",    "exp10",        "exp2",     "expm1",
    "fabs",      "fdim",     "fma",      "fmax",      "fmin",   "get_work_dim", "hadd",     "hypot",
    "ldexp",     "length",   "lgamma",   "log",       "log10",  "log1p",        "log2",     "mad",
    "mad24",     "mad_hi",   "max",      "mem_fence", "min",    "mix",          "mul24",    "mul_hi",
    "normalize", "popcount", "pow",      "pown",      "powr",   "prefetch",     "radians",  "read_mem_fence",
    "rhadd",     "rootn",    "rotate",   "rsqrt",     "sin",    "sinh",         "sinpi",    "smoothstep",
    "sqrt",      "sub_sat",  "tan",      "tanh",      "tanpi",  "tgamma",       "upsample", "write_mem_fence"};

/// Sloppy versions that exist for floats only.
constexpr std::array kPrefixes = {"native_", "half_", "fast_"};

bool is_known(std::string_view name) { return std::ranges::find(kSame, name) != kSame.end(); }

bool reads_or_writes_vectors(const std::string& callee) {
  const bool loads = callee.starts_with("vload") || callee.starts_with("vstore");
  return loads && callee.find('_') == std::string::npos;
}

/// Operators whose answer is a decision.
bool looks_at(const std::string& op) {
  return op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=" || op == "&&" || op == "||";
}

bool is_odd(const Type& type) {
  if (type.pointee) return is_odd(*type.pointee);
  return type.scalar == Scalar::Struct || type.scalar == Scalar::Opaque || type.scalar == Scalar::Unknown ||
         type.scalar == Scalar::Half;
}

/// The type of a sizeof is the one it measures.
bool is_floating(const NodePtr& node) { return node && node->kind != Kind::SizeOf && node->type.is_floating(); }

bool is_int_from_float(const Type& target, const NodePtr& value) {
  return target.is_plain() && target.is_integer() && is_floating(value);
}

std::optional<std::string> of_call(const Unit& unit, const NodePtr& call) {
  const auto& callee = call->text;
  const bool floats = std::ranges::any_of(call->children, [](const NodePtr& n) { return is_float(n->type); });
  if (const auto function = find_function(unit, callee)) {
    const auto parameters = parameters_of(function);
    for (std::size_t i = 0; i < std::min(parameters.size(), call->children.size()); ++i)
      if (is_int_from_float(parameters[i]->type, call->children[i])) return "an integer made from a float";
    return std::nullopt;
  }
  if (callee.starts_with("atom") && !floats) return std::nullopt;
  if (callee.starts_with("convert_") && !floats && callee.find("float") == std::string::npos) return std::nullopt;
  if (in_double_name(callee)) return std::nullopt;
  return "a call of " + callee;
}

std::optional<std::string> of_declaration(const NodePtr& node) {
  if (is_odd(node->type)) return "the type of " + (node->text.empty() ? std::string("a value") : node->text);
  if (node->kind == Kind::Variable && is_int_from_float(node->type, value_of(node)))
    return "an integer made from a float";
  return std::nullopt;
}

std::optional<std::string> of_cast(const NodePtr& node) {
  const auto& from = operand(node)->type;
  if (is_odd(node->type)) return "a cast to a type of its own";
  if (is_int_from_float(node->type, operand(node))) return "an integer made from a float";
  if (node->type.pointee && is_float(node->type) != is_float(from)) return "bits looked at as another type";
  return std::nullopt;
}

std::optional<std::string> of_node(const Unit& unit, const NodePtr& node) {
  constexpr auto kBranch = "a branch on a float";
  switch (node->kind) {
    case Kind::Verbatim: return "code that was not understood";
    case Kind::Function:
    case Kind::Parameter:
    case Kind::Variable: return of_declaration(node);
    case Kind::Cast: return of_cast(node);
    case Kind::Call: return of_call(unit, node);
    case Kind::SizeOf:
      if (is_float(node->type) || (!node->children.empty() && is_float(operand(node)->type))) return "sizeof a float";
      return std::nullopt;
    case Kind::Binary:
      if (looks_at(node->text) && (is_floating(left(node)) || is_floating(right(node)))) return kBranch;
      return std::nullopt;
    case Kind::Unary:
      if (node->text == "!" && is_floating(operand(node))) return kBranch;
      return std::nullopt;
    case Kind::Assign:
      if (is_int_from_float(left(node)->type, right(node))) return "an integer made from a float";
      return std::nullopt;
    case Kind::If:
    case Kind::While:
    case Kind::Select: return is_floating(node->children[0]) ? std::optional<std::string>(kBranch) : std::nullopt;
    case Kind::DoWhile:
    case Kind::For: return is_floating(node->children[1]) ? std::optional<std::string>(kBranch) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<std::string> of_returns(const NodePtr& function) {
  for (const auto& back : find_all(function, Kind::Return))
    if (is_int_from_float(function->type, value_of(back))) return "an integer made from a float";
  return std::nullopt;
}

/// A table at file level keeps its floats, so nobody may point into it.
std::optional<std::string> of_tables(const Unit& unit) {
  const auto own = understood_names(unit);
  std::set<const Node*> indexed;
  std::optional<std::string> found;
  for_each(unit.root, [&](const NodePtr& node) {
    if (node->kind == Kind::Index) indexed.insert(index_base(node).get());
    const bool table = is_float(node->type) && !node->type.is_plain();
    if (node->kind == Kind::Name && table && !own.contains(node->text) && !indexed.contains(node.get()))
      found = "a pointer into " + node->text;
  });
  return found;
}

}  // namespace

bool is_float(const Type& type) { return type.pointee ? is_float(*type.pointee) : type.scalar == Scalar::Float; }

std::set<std::string> understood_names(const Unit& unit) {
  std::set<std::string> out;
  for_each(unit.root, [&](const NodePtr& node) {
    if (node->kind == Kind::Parameter || node->kind == Kind::Variable) out.insert(node->text);
  });
  return out;
}

std::optional<std::string> in_double_name(const std::string& callee) {
  if (is_known(callee) || reads_or_writes_vectors(callee)) return callee;
  constexpr std::string_view kConvert = "convert_float";
  if (callee.starts_with(kConvert)) {
    const auto lanes = callee.substr(kConvert.size());
    if (!std::ranges::all_of(lanes, [](unsigned char c) { return std::isdigit(c) != 0; })) return std::nullopt;
    return "convert_double" + lanes;
  }
  for (const std::string_view prefix : kPrefixes)
    if (callee.starts_with(prefix) && is_known(callee.substr(prefix.size()))) return callee.substr(prefix.size());
  return std::nullopt;
}

std::optional<std::string> double_obstacle(const Unit& unit) {
  std::optional<std::string> found;
  visit(unit.root, [&](const NodePtr& node) {
    if (!found) found = of_node(unit, node);
    return !found;
  });
  for (const auto& function : functions_of(unit))
    if (!found) found = of_returns(function);
  if (!found) found = of_tables(unit);
  return found;
}

}  // namespace hone::ir
