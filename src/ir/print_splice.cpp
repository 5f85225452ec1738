// Bytes. An untouched node prints its own; a rebuilt one prints those of its original with only the changed children's
// ranges replaced; a changed statement list keeps the bytes of the statements it kept, and the space around them.
#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "ir/printer.hpp"

namespace hone::ir {
namespace {

/// Two characters that would become one token, or open a comment, if they met.
bool fuses(char a, char b) {
  if (in_name(a) && in_name(b)) return true;
  return (a == b && std::string_view("+-&|<>=").find(a) != std::string_view::npos) ||
         (a == '/' && (b == '*' || b == '/'));
}

/// `text` between what stands before and after it, with a space where tokens would run together.
void append_apart(std::string& out, std::string_view text, char next) {
  if (!out.empty() && !text.empty() && fuses(out.back(), text.front())) out += ' ';
  out += text;
  if (!out.empty() && next != '\0' && fuses(out.back(), next)) out += ' ';
}

bool same_head(const Node& a, const Node& b) {
  return a.kind == b.kind && a.text == b.text && a.qualifiers == b.qualifiers && a.dimension == b.dimension &&
         (is_expression(a) && a.kind != Kind::Cast && a.kind != Kind::VectorLiteral && a.kind != Kind::SizeOf
              ? true
              : a.type == b.type);
}

/// As many statements as before, and a line of the preprocessor only where there was one: no space has to move.
bool replaced_in_place(const Nodes& now, const Nodes& was) {
  return std::equal(now.begin(), now.end(), was.begin(), was.end(), [](const NodePtr& a, const NodePtr& b) {
    return (a->kind == Kind::Directive) == (b->kind == Kind::Directive) && (a == b || b->origin.owns());
  });
}

struct Slot {
  NodePtr was, is;  ///< either may be null: inserted, deleted
};

/// The original child this one stands for: itself, or the one it was rebuilt from.
const Node* stands_for(const NodePtr& node) { return node->original ? node->original.get() : node.get(); }

/// Pairs what the list held with what it holds now. Kept children anchor; between two anchors the strangers replace the
/// missing in order.
std::vector<Slot> align(const Nodes& was, const Nodes& now) {
  std::vector<std::ptrdiff_t> anchor(now.size(), -1);
  std::ptrdiff_t last = -1;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto found = std::find_if(was.begin() + last + 1, was.end(),
                                    [&](const NodePtr& w) { return w.get() == stands_for(now[i]); });
    if (found != was.end()) anchor[i] = last = found - was.begin();
  }
  std::vector<Slot> out;
  std::size_t at = 0;
  std::size_t i = 0;
  while (i < now.size() || at < was.size()) {
    const std::size_t next = [&] {
      for (std::size_t j = i; j < now.size(); ++j)
        if (anchor[j] >= 0) return j;
      return now.size();
    }();
    const std::size_t stop = next < now.size() ? static_cast<std::size_t>(anchor[next]) : was.size();
    while (i < next && at < stop) out.push_back({was[at++], now[i++]});
    while (i < next) out.push_back({nullptr, now[i++]});
    while (at < stop) out.push_back({was[at++], nullptr});
    if (next < now.size()) out.push_back({was[at++], now[i++]});
  }
  return out;
}

/// The white space a line of this list starts with, taken from a child that starts its line.
std::string indentation(const Nodes& children, std::string_view text, int indent) {
  for (const auto& child : children) {
    if (child->kind == Kind::Directive || !child->origin.owns()) continue;
    const auto line = text.rfind('\n', child->origin.begin == 0 ? 0 : child->origin.begin - 1);
    const auto start = line == std::string_view::npos ? 0 : line + 1;
    const auto lead = text.substr(start, child->origin.begin - start);
    if (lead.find_first_not_of(" \t") == std::string_view::npos) return std::string(lead);
  }
  return std::string(static_cast<std::size_t>(2 * indent), ' ');
}

}  // namespace

bool Printer::owns(const Node& node) const {
  return !force_ && node.origin.owns() && node.origin.source->dialect == to_;
}

/// The bytes of this node, spliced where something below changed; nothing when it has to be written from its structure.
std::optional<std::string> Printer::own_bytes(const NodePtr& node, int indent) {
  if (!owns(*node)) return std::nullopt;
  if (!node->original) return std::string(node->origin.bytes());
  const auto& was = *node->original;
  if (!same_head(*node, was)) return std::nullopt;
  const bool list = node->kind == Kind::Block || node->kind == Kind::Unit;
  if (list && !replaced_in_place(node->children, was.children)) return splice_list(node, indent);
  return splice_children(node, indent);
}

/// A variable owns its declarator only: it can be replaced alone while the type it shares with its neighbours stays.
bool Printer::splices_alone(const NodePtr& child, const NodePtr& was) {
  if (was->kind != Kind::Variable) return true;
  return child->kind == Kind::Variable && base(child->type) == base(was->type) && child->qualifiers == was->qualifiers;
}

std::string Printer::child_text(const NodePtr& parent, std::size_t index, int indent) {
  const auto& child = parent->children[index];
  if (is_expression(*child)) return expression(child, demanded(*parent, index));
  if (child->kind == Kind::Variable) {
    auto bytes = own_bytes(child, 0);
    return bytes ? *bytes : variable(child);
  }
  if (child->kind == Kind::Parameter) return any(child);
  const int inner = parent->kind == Kind::Function || child->kind == Kind::Block ? indent : indent + 1;
  return statement(child, inner);
}

std::optional<std::string> Printer::splice_children(const NodePtr& node, int indent) {
  const auto& was = *node->original;
  if (was.children.size() != node->children.size()) return std::nullopt;
  const std::string_view text = node->origin.source->text;
  std::string out;
  std::size_t at = node->origin.begin;
  for (std::size_t i = 0; i < was.children.size(); ++i) {
    const auto& old = was.children[i];
    if (old == node->children[i]) continue;
    const auto& place = old->origin;
    const bool inside =
        place.owns() && place.source == node->origin.source && place.begin >= at && place.end <= node->origin.end;
    if (!inside || !splices_alone(node->children[i], old)) return std::nullopt;
    out += text.substr(at, place.begin - at);
    append_apart(out, child_text(node, i, indent), place.end < text.size() ? text[place.end] : '\0');
    at = place.end;
  }
  return out += text.substr(at, node->origin.end - at);
}

std::optional<std::string> Printer::splice_list(const NodePtr& node, int indent) {
  const auto& was = *node->original;
  const std::string_view text = node->origin.source->text;
  const bool own = std::all_of(was.children.begin(), was.children.end(), [&](const NodePtr& c) {
    return c->origin.owns() && c->origin.source == node->origin.source;
  });
  if (!own) return std::nullopt;
  const auto lead = indentation(was.children, text, indent + 1);
  std::string out;
  std::size_t at = node->origin.begin;
  if (node->kind == Kind::Block) {
    if (text[at] != '{') return std::nullopt;  // a macro's name
    out += text[at++];
  }
  bool fresh_line = false;  // what was just written has to end its line
  const auto put = [&](const NodePtr& child, std::string_view space) {
    std::string gap(space);
    const bool starts_line = child->kind == Kind::Directive;
    const auto newline = gap.rfind('\n');
    if ((starts_line || fresh_line) && newline == std::string::npos && !out.empty() && out.back() != '\n')
      gap = "\n" + (starts_line ? "" : gap);
    out += gap;
    append_apart(out, statement(child, indent + 1), '\0');
    fresh_line = starts_line;
  };
  for (const auto& slot : align(was.children, node->children)) {
    if (slot.was) {
      const auto gap = text.substr(at, slot.was->origin.begin - at);
      at = slot.was->origin.end;
      if (slot.is) put(slot.is, gap);
    } else {
      const bool first = out.empty() || out == "{";
      put(slot.is, first && node->kind == Kind::Unit ? "" : "\n" + lead);
      if (node->kind == Kind::Unit) fresh_line = true;
    }
  }
  auto tail = text.substr(at, node->origin.end - at);
  if (fresh_line && tail.find('\n') == std::string_view::npos) out += "\n";
  return out += tail;
}

}  // namespace hone::ir
