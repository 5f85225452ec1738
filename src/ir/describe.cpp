#include "ir/describe.hpp"

#include "base/text.hpp"
#include "ir/print.hpp"

namespace hone::ir {
namespace {

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    const bool space = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    if (!space)
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out.size() > 100 ? out.substr(0, 97) + "..." : out;
}

std::string shown(const NodePtr& node, Dialect dialect) {
  const auto text = force_print(node, dialect);
  return text ? one_line(*text) : "(" + std::string(kind_name(node->kind)) + ")";
}

std::string effects(const Effects& e) {
  std::string out = " reads{" + join(e.reads, ", ") + "} writes{" + join(e.writes, ", ") + "}";
  if (!e.declares.empty()) out += " declares{" + join(e.declares, ", ") + "}";
  if (e.jumps) out += " jumps";
  if (e.may_barrier) out += " may_barrier";
  if (e.unknown) out += " unknown";
  return out;
}

/// Statements get a line each; an expression is shown on the line of the statement it belongs to.
void lines(const NodePtr& node, int depth, Dialect dialect, std::string& out) {
  const std::string pad(static_cast<std::size_t>(2 * depth), ' ');
  const auto line = [&](const std::string& text) { out += pad + text + "\n"; };
  const auto below = [&](const NodePtr& child) { lines(child, depth + 1, dialect, out); };
  switch (node->kind) {
    case Kind::Function: {
      line((is_kernel(*node) ? "Kernel " : "Function ") + node->text);
      for (const auto& p : parameters_of(node)) {
        const auto text = print_declaration(p->type, p->text, dialect);
        out += pad + "  Parameter " + (text ? *text : p->text) + "\n";
      }
      if (const auto inner = body_of(node)) below(inner);
      return;
    }
    case Kind::For:
      line("For " + shown(for_init(node), dialect) + " " + shown(for_condition(node), dialect) + "; " +
           shown(for_step(node), dialect));
      return below(for_body(node));
    case Kind::If:
      line("If " + shown(if_condition(node), dialect));
      below(if_then(node));
      if (const auto otherwise = if_else(node)) {
        line("Else");
        below(otherwise);
      }
      return;
    case Kind::While:
    case Kind::Switch:
      line(std::string(kind_name(node->kind)) + " " + shown(node->children[0], dialect));
      return below(node->children[1]);
    case Kind::DoWhile: line("DoWhile " + shown(node->children[1], dialect)); return below(node->children[0]);
    case Kind::Block:
    case Kind::Unit:
      line(kind_name(node->kind));
      for (const auto& child : node->children) below(child);
      return;
    case Kind::Verbatim:
    case Kind::TopLevel:
      line(std::string(kind_name(node->kind)) + " " + one_line(node->text) +
           (node->effects ? effects(*node->effects) : ""));
      return;
    default: line(std::string(kind_name(node->kind)) + " " + shown(node, dialect));
  }
}

}  // namespace

std::string describe(const NodePtr& node) {
  std::string out;
  const auto dialect = node->origin.owns() ? node->origin.source->dialect : Dialect::OpenCL;
  lines(node, 0, dialect, out);
  return out;
}

std::string describe(const Unit& unit) {
  std::string out;
  lines(unit.root, 0, unit.dialect, out);
  return out;
}

}  // namespace hone::ir
