// Statements, functions and units from their structure.
#include <algorithm>

#include "base/text.hpp"
#include "ir/printer.hpp"

namespace hone::ir {
namespace {

std::string spaces(int indent) { return std::string(static_cast<std::size_t>(2 * indent), ' '); }

/// An else after this statement would be taken by an if inside it.
bool swallows_else(const NodePtr& node) {
  switch (node->kind) {
    case Kind::If: return !if_else(node) || swallows_else(if_else(node));
    case Kind::For:
    case Kind::While: return swallows_else(body_of(node));
    default: return false;
  }
}

/// `__attribute__((reqd_work_group_size(8, 8, 1)))` is a launch bound of 64 threads elsewhere.
std::optional<std::string> launch_bound(const std::string& qualifier) {
  const auto at = qualifier.find("reqd_work_group_size");
  if (at == std::string::npos) return std::nullopt;
  const auto open = qualifier.find('(', at);
  const auto close = qualifier.find(')', at);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  long threads = 1;
  for (const auto& part : split(qualifier.substr(open + 1, close - open - 1), ',')) threads *= std::atol(part.c_str());
  return "__launch_bounds__(" + std::to_string(threads) + ")";
}

bool is_word(std::string_view q) { return q == "inline" || q == "static" || q == "kernel"; }

}  // namespace

/// Directives that still mean something when everything around them was written anew in another dialect.
bool Printer::keeps(const Node& directive) const {
  return !foreign() || directive.text.find("unroll") != std::string::npos ||
         (directive.text.starts_with("#define") && !declared_.empty());
}

std::string Printer::statement(const NodePtr& node, int indent) {
  if (auto bytes = own_bytes(node, indent)) return *bytes;
  return structural_statement(node, indent);
}

std::string Printer::any(const NodePtr& node) {
  if (node->kind == Kind::Unit) return unit(node);
  if (is_expression(*node)) return expression(node, Comma);
  if (auto bytes = own_bytes(node, 0)) return *bytes;
  if (node->kind == Kind::Parameter) return declaration(node->type, node->text);
  if (node->kind == Kind::Variable) return base(node->type) + " " + variable(node);
  return structural_statement(node, 0);
}

std::string Printer::statement_list(const Nodes& statements, int indent) {
  std::string out;
  for (const auto& s : statements) {
    if (s->kind == Kind::Directive && !keeps(*s)) continue;
    const bool label = s->kind == Kind::Case || s->kind == Kind::Default;
    if (s->kind != Kind::Directive) out += spaces(label ? std::max(0, indent - 1) : indent);
    out += statement(s, indent) + "\n";
  }
  return out;
}

std::string Printer::block(const NodePtr& node, int indent) {
  return "{\n" + statement_list(node->children, indent + 1) + spaces(indent) + "}";
}

/// What hangs under a loop or an if: a block beside it, anything else on its own line.
std::string Printer::body(const NodePtr& node, int indent) {
  if (node->kind == Kind::Block) return " " + statement(node, indent);
  return "\n" + spaces(indent + 1) + statement(node, indent + 1);
}

std::string Printer::variable(const NodePtr& node) {
  std::string out = declarator(node->type, node->text);
  if (const auto value = value_of(node)) {
    if (value->type.lanes != node->type.lanes && value->kind != Kind::InitList) check_vector(*node, "widening");
    out += " = " + narrowed(value, node->type, Assignment);
  }
  return out;
}

std::string Printer::declare_statement(const NodePtr& node) {
  std::string out, before;
  for (const auto& v : node->children) {
    std::string front;
    if (foreign() && to_ == Dialect::OpenCL && v->type.space == AddressSpace::Constant && !value_of(v))
      refuse("the constant " + v->text + ", set by the host,");
    for (const auto& q : v->qualifiers) front += q + " ";
    front += base(v->type);
    if (out.empty())
      out = front + " ";
    else
      out += front == before ? ", " : "; " + front + " ";
    out += variable(v);
    before = front;
  }
  return out + ";";
}

std::string Printer::if_statement(const NodePtr& node, int indent) {
  const auto otherwise = if_else(node);
  std::string out = "if (" + expression(if_condition(node), Comma) + ")";
  if (otherwise && swallows_else(if_then(node)))
    out += " {\n" + statement_list({if_then(node)}, indent + 1) + spaces(indent) + "}";
  else
    out += body(if_then(node), indent);
  if (!otherwise) return out;
  out += if_then(node)->kind == Kind::Block ? " else" : "\n" + spaces(indent) + "else";
  return out + (otherwise->kind == Kind::If ? " " + statement(otherwise, indent) : body(otherwise, indent));
}

std::string Printer::function_head(const NodePtr& node) {
  std::string words, attributes;
  const bool cuda = to_ != Dialect::OpenCL;
  if (foreign() && cuda) words = is_kernel(*node) ? "extern \"C\" " : "__device__ ";
  for (const auto& q : node->qualifiers) {
    if (q == "kernel")
      words += cuda ? "__global__ " : "__kernel ";
    else if (is_word(q) || !foreign())
      (is_word(q) || cuda ? words : attributes) += q + " ";
    else if (const auto bound = launch_bound(q); bound && cuda)
      attributes += *bound + " ";
  }
  if (cuda) return words + base(node->type) + " " + attributes + declarator(node->type, node->text);
  return words + attributes + base(node->type) + " " + declarator(node->type, node->text);
}

std::string Printer::function(const NodePtr& node) {
  std::vector<std::string> parts;
  for (const auto& p : parameters_of(node)) {
    if (foreign() && to_ != Dialect::OpenCL && is_kernel(*node) && p->type.pointee &&
        p->type.pointee->space == AddressSpace::Local)
      refuse("the local memory parameter " + p->text);
    parts.push_back(owns(*p) && !p->original ? std::string(p->origin.bytes()) : declaration(p->type, p->text));
  }
  auto out = function_head(node) + "(" + join(parts, ", ") + ")";
  const auto inner = body_of(node);
  return inner ? out + " " + statement(inner, 0) : out + ";";
}

std::string Printer::structural_statement(const NodePtr& node, int indent) {
  const auto& c = node->children;
  std::string front;
  if (node->kind == Kind::For || node->kind == Kind::While)
    for (const auto& q : node->qualifiers) front += q + " ";
  switch (node->kind) {
    case Kind::Function: return function(node);
    case Kind::Block: return block(node, indent);
    case Kind::For: {
      const auto part = [&](const NodePtr& n) { return n->kind == Kind::Empty ? "" : " " + expression(n, Comma); };
      const auto init = statement(for_init(node), indent);
      return front + "for (" + init + part(for_condition(node)) + ";" + part(for_step(node)) + ")" +
             body(for_body(node), indent);
    }
    case Kind::If: return if_statement(node, indent);
    case Kind::While: return front + "while (" + expression(c[0], Comma) + ")" + body(c[1], indent);
    case Kind::DoWhile: return "do" + body(c[0], indent) + " while (" + expression(c[1], Comma) + ");";
    case Kind::Switch: return "switch (" + expression(c[0], Comma) + ")" + body(c[1], indent);
    case Kind::Case: return "case " + expression(c[0], Conditional) + ":";
    case Kind::Default: return "default:";
    case Kind::Declare: return declare_statement(node);
    case Kind::ExpressionStatement: return expression(c[0], Comma) + ";";
    case Kind::Return: return c.empty() ? "return;" : "return " + expression(c[0], Comma) + ";";
    case Kind::Break: return "break;";
    case Kind::Continue: return "continue;";
    case Kind::Empty: return ";";
    case Kind::Barrier: {
      if (to_ != Dialect::OpenCL) return "__syncthreads();";
      const bool local = node->text.find("local") != std::string::npos;
      const bool global = node->text.find("global") != std::string::npos;
      return std::string("barrier(") + (local ? "CLK_LOCAL_MEM_FENCE" : "") + (local && global ? " | " : "") +
             (global ? "CLK_GLOBAL_MEM_FENCE" : "") + ");";
    }
    case Kind::TopLevel:
    case Kind::Directive: return node->text;
    case Kind::Verbatim:
      if (foreign()) return refuse("verbatim code (" + node->text.substr(0, 40) + ")");
      return node->text;
    default: return is_expression(*node) ? expression(node, Comma) : "";
  }
}

std::string Printer::unit(const NodePtr& root) {
  if (auto bytes = own_bytes(root, 0)) return *bytes;
  std::string out;
  if (foreign() && to_ == Dialect::Hip) out += "#include <hip/hip_runtime.h>\n\n";
  for (const auto& child : root->children) {
    if (child->kind == Kind::Directive && !keeps(*child)) continue;
    out += statement(child, 0) + "\n";
    if (child->kind == Kind::Function) out += "\n";
  }
  return out;
}

}  // namespace hone::ir
