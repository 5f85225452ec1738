#include "rules/normal.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/inline_helpers.hpp"
#include "rules/split_vectors.hpp"

namespace hone::rules {
using namespace ir;

Nodes statements_of(const NodePtr& statement) {
  if (!statement || is(statement, Kind::Empty)) return {};
  return is(statement, Kind::Block) ? statement->children : Nodes{statement};
}

bool has_return(const NodePtr& node) {
  return any_of(node, [](const NodePtr& n) { return n->kind == Kind::Return; });
}

bool ends_in_return(const Nodes& list) {
  if (list.empty()) return false;
  const auto& last = list.back();
  if (is(last, Kind::Return)) return true;
  if (is(last, Kind::Block)) return ends_in_return(last->children);
  return is(last, Kind::If) && if_else(last) && ends_in_return(statements_of(if_then(last))) &&
         ends_in_return(statements_of(if_else(last)));
}

namespace {

Nodes with_blocks(const Nodes& list);

NodePtr with_blocks(const NodePtr& s) {
  switch (s->kind) {
    case Kind::Block: return block(with_blocks(s->children));
    case Kind::If: {
      auto then_branch = block(with_blocks(statements_of(if_then(s))));
      const auto other = if_else(s);
      return if_then_else(if_condition(s), then_branch, other ? block(with_blocks(statements_of(other))) : nullptr);
    }
    case Kind::For:
      return for_loop(for_init(s), for_condition(s), for_step(s), block(with_blocks(statements_of(for_body(s)))));
    case Kind::While: return while_loop(s->children[0], block(with_blocks(statements_of(s->children[1]))));
    case Kind::DoWhile: return do_while(block(with_blocks(statements_of(s->children[0]))), s->children[1]);
    default: return s;
  }
}

Nodes with_blocks(const Nodes& list) {
  Nodes out;
  for (const auto& s : list) {
    if (is(s, Kind::Declare) && s->children.size() > 1) {
      for (const auto& v : s->children) out.push_back(declare_all({v}));
    } else if (!is(s, Kind::Empty)) {
      out.push_back(with_blocks(s));
    }
  }
  return out;
}

struct Structured {
  Nodes statements;
  bool failed = false;
};

Structured without_returns(const Nodes& list) {
  Structured out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& s = list[i];
    if (is(s, Kind::Return)) return out;  // what follows never runs
    if (!has_return(s)) {
      out.statements.push_back(s);
      continue;
    }
    const Nodes rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    if (is(s, Kind::Block)) {
      // The block's names must not be seen by what follows, unless nothing does.
      if (!rest.empty()) return {{}, true};
      auto inner = without_returns(s->children);
      out.statements.push_back(block(inner.statements));
      out.failed = inner.failed;
      return out;
    }
    if (!is(s, Kind::If)) return {{}, true};
    Nodes yes = statements_of(if_then(s)), no = statements_of(if_else(s));
    const bool yes_ends = ends_in_return(yes), no_ends = ends_in_return(no);
    if (!rest.empty() && !yes_ends && !no_ends) return {{}, true};
    if (!yes_ends) yes.insert(yes.end(), rest.begin(), rest.end());
    if (!no_ends) no.insert(no.end(), rest.begin(), rest.end());
    auto a = without_returns(yes), b = without_returns(no);
    out.failed = a.failed || b.failed;
    if (a.statements.empty() && b.statements.empty()) return out;
    if (a.statements.empty())
      out.statements.push_back(if_then_else(negated(if_condition(s)), block(b.statements)));
    else
      out.statements.push_back(
          if_then_else(if_condition(s), block(a.statements), b.statements.empty() ? nullptr : block(b.statements)));
    return out;
  }
  return out;
}

std::string opposite(const std::string& op) {
  if (op == "<") return ">=";
  if (op == ">=") return "<";
  if (op == ">") return "<=";
  if (op == "<=") return ">";
  if (op == "==") return "!=";
  return op == "!=" ? "==" : "";
}

}  // namespace

NodePtr negated(const NodePtr& c) {
  if (is(c, Kind::Unary, "!")) return operand(c);
  if (is(c, Kind::Binary, "&&")) return binary("||", negated(left(c)), negated(right(c)));
  if (is(c, Kind::Binary, "||")) return binary("&&", negated(left(c)), negated(right(c)));
  // A NaN makes both a < b and a >= b false, so only integers are turned around.
  const bool whole = is(c, Kind::Binary) && left(c)->type.is_integer() && right(c)->type.is_integer();
  if (whole && !opposite(c->text).empty()) return binary(opposite(c->text), left(c), right(c));
  return unary("!", c);
}

NodePtr in_numbers(const Unit& unit, const NodePtr& function) {
  return body_of(function) ? with_vectors_split(with_helpers_inlined(unit, function)) : function;
}

Result<Nodes> structured_body(const NodePtr& function) {
  auto structured = without_returns(body_of(function)->children);
  if (structured.failed) return fail("E-DECLINED", "a return stands inside a loop or between other statements");
  return with_blocks(structured.statements);
}

}  // namespace hone::rules
