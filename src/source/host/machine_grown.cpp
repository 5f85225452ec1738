// Lists that a counted loop grows by one element each time: how many there are afterwards is known, what they hold is
// not. `for (i = 0; i < n; i++) list.push_back(f(i));` is how programs make their data, and `list.size()` how they say
// their sizes.
#include <algorithm>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using VK = HostValue::Kind;

/// A variable or a field of one: nothing that could be another object the next time.
bool is_plain_path(const Node& node) {
  if (node.kind == Kind::Name || node.kind == Kind::This) return true;
  return node.kind == Kind::Member && node.parts.size() == 1 && is_plain_path(node.parts[0]);
}

bool same_path(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.decl != b.decl || a.text != b.text || a.parts.size() != b.parts.size()) return false;
  return a.parts.empty() || same_path(a.parts[0], b.parts[0]);
}

bool is_push(const Node& node) {
  return node.kind == Kind::MethodCall && (node.text == "push_back" || node.text == "emplace_back") &&
         !node.parts.empty() && is_plain_path(node.parts[0]);
}

bool only_reads(const Node& call) {
  static const std::vector<std::string> words = {"back", "front", "size", "empty", "at", "operator[]", "data"};
  return call.kind == Kind::MethodCall && std::ranges::find(words, call.text) != words.end();
}

/// Nothing ends a round early.
bool goes_through(const Node& node) {
  if (node.kind == Kind::Break || node.kind == Kind::Continue || node.kind == Kind::Return ||
      node.kind == Kind::Throw || node.kind == Kind::Opaque)
    return false;
  return std::ranges::all_of(node.parts, goes_through);
}

/// The list or what holds it is mentioned in no other way than `push` and to be read.
bool untouched_but(const Node& node, const Node& push) {
  if (&node == &push)
    return std::all_of(node.parts.begin() + 1, node.parts.end(),
                       [&](const Node& argument) { return untouched_but(argument, push); });
  if (only_reads(node) && !node.parts.empty() && same_path(node.parts[0], push.parts[0]))
    return std::all_of(node.parts.begin() + 1, node.parts.end(),
                       [&](const Node& argument) { return untouched_but(argument, push); });
  for (const Node* at = &push.parts[0];; at = at->parts.data()) {
    if (same_path(node, *at)) return false;
    if (at->parts.empty()) break;
  }
  if (node.kind == Kind::Member && !same_path(node, push.parts[0])) {  // another field of the same object
    const Node* root = &node;
    while (root->kind == Kind::Member && root->parts.size() == 1) root = root->parts.data();
    if (root->kind == Kind::Name || root->kind == Kind::This) return true;
  }
  return std::ranges::all_of(node.parts, [&](const Node& part) { return untouched_but(part, push); });
}

}  // namespace

std::vector<std::pair<Location, HostValue>> Machine::grown_by(const Node* condition, const Node* step,
                                                              const Node& body) {
  std::vector<std::pair<Location, HostValue>> out;
  if (condition == nullptr || step == nullptr || !goes_through(body)) return out;
  std::vector<const Node*> statements;
  if (body.kind == Kind::Block)
    for (const auto& statement : body.parts) statements.push_back(&statement);
  else
    statements.push_back(&body);
  if (std::ranges::none_of(statements, [](const Node* statement) { return is_push(*statement); })) return out;
  const auto count = rounds_of(*condition, *step, body);
  if (!count) return out;
  for (const auto* statement : statements) {
    if (!is_push(*statement) || !untouched_but(body, *statement)) continue;
    const Node* root = &statement->parts[0];
    while (!root->parts.empty()) root = root->parts.data();
    // What lives outside of the function any call may change.
    const auto& decls = program_.unit(current_unit()).decls;
    if (root->kind != Kind::Name || root->decl < 0 || !decls[static_cast<std::size_t>(root->decl)].key.empty())
      continue;
    const auto at = locate(statement->parts[0]);
    if (!at) continue;
    auto held = memory_.load(*at);
    if (!held.is(VK::Record) || !held.parts || !held.parts->size || !held.parts->size->is(VK::Number)) continue;
    auto parts = std::make_shared<Parts>();
    parts->size = arithmetic("+", *held.parts->size, *count, nullptr);
    parts->size->from = std::max(parts->size->from, Provenance::Kind::Inferred);
    parts->rest = unknown("put there by a loop");
    held.parts = std::move(parts);
    out.emplace_back(*at, std::move(held));
  }
  return out;
}

}  // namespace hone::host
