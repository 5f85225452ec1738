#pragma once
// Builders of fresh nodes: they own no bytes and are printed from their structure. Types of expressions are derived
// from the parts; where only the caller knows (a call, a name) it says so.

#include <string>
#include <utility>

#include "ir/tree.hpp"

namespace hone::ir {

enum class Thread { GlobalId, LocalId, GroupId, GlobalSize, LocalSize, NumGroups, GlobalOffset };
/// "global_id", "local_id", ...: the text of a ThreadIndex.
const char* thread_name(Thread thread);
bool is_thread_index(const NodePtr& node, Thread thread);

// Expressions
NodePtr int_literal(long long value);  ///< a negative value is Unary - of its absolute
NodePtr literal(std::string text, Type type);
NodePtr name(std::string text, Type type = {});
NodePtr unary(std::string op, NodePtr operand);
NodePtr binary(std::string op, NodePtr left, NodePtr right);
NodePtr assign(NodePtr target, NodePtr value, std::string op = "=");
NodePtr select(NodePtr condition, NodePtr then_value, NodePtr else_value);
NodePtr cast(Type type, NodePtr operand);
NodePtr call(std::string callee, Nodes arguments, Type type = {});
NodePtr index(NodePtr base, NodePtr index_value);
NodePtr member(NodePtr base, std::string field, Type type = {});  ///< of a vector the type follows from the swizzle
NodePtr vector_literal(Type type, Nodes parts);
NodePtr init_list(Nodes values, Type type = {});
NodePtr size_of_type(Type type);
NodePtr thread_index(Thread thread, int dimension, Type type = size_type());

// Statements
NodePtr block(Nodes statements);
NodePtr for_loop(NodePtr init, NodePtr condition, NodePtr step, NodePtr body);
/// for (int name = begin; name < end; name += step), the form every counted loop is brought to.
NodePtr counted_loop(const std::string& name, NodePtr begin, NodePtr end, NodePtr step, NodePtr body,
                     Type type = int_type());
NodePtr if_then_else(NodePtr condition, NodePtr then_branch, NodePtr else_branch = nullptr);
NodePtr while_loop(NodePtr condition, NodePtr body);
NodePtr do_while(NodePtr body, NodePtr condition);
NodePtr variable(Type type, std::string name, NodePtr value = nullptr);
NodePtr declare(Type type, std::string name, NodePtr value = nullptr);
NodePtr declare_all(Nodes variables);
NodePtr expression_statement(NodePtr expression);
NodePtr assign_statement(NodePtr target, NodePtr value, std::string op = "=");
NodePtr return_statement(NodePtr value = nullptr);
NodePtr barrier(std::string fences = "local");
NodePtr directive(std::string text);
NodePtr empty();
NodePtr simple(Kind kind);  ///< Break, Continue, Default

// Of a unit
NodePtr parameter(Type type, std::string name);
NodePtr function(Type result, std::string name, Nodes parameters, NodePtr body,
                 std::vector<std::string> qualifiers = {});
NodePtr verbatim(std::string text, Effects effects);
NodePtr top_level(std::string text, Effects effects);

}  // namespace hone::ir
