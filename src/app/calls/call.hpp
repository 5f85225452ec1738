#pragma once
// What an agent may ask of a warm session: one table, which `hone serve`, `hone mcp` and `hone call` read. Adding a
// call is a file with its `const Call`, and one line in calls.cpp.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/console.hpp"

namespace hone::app {

class Session;

struct CallParameter {
  enum class Kind { Text, Texts, Flag, Values };  // Values: an object of numbers and texts
  std::string_view name;
  Kind kind = Kind::Text;
  std::string_view description;
  bool required = false;
};

struct CallRequest {
  nlohmann::json arguments;  // an object whose members the call declares, each of its kind
  std::string agent;         // who asks; stands on the trials

  bool has(std::string_view name) const { return arguments.contains(name); }
  /// Empty when absent.
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  bool flag(std::string_view name) const;
};

struct Call {
  std::string_view name, description;
  std::vector<CallParameter> parameters;
  Result<Answer> (*run)(Session& session, const CallRequest& request);
};

std::span<const Call* const> all_calls();
/// The parameters as a JSON schema.
nlohmann::json schema_of(const Call& call);
/// Null when there is none of that name.
const Call* find_call(std::string_view name);
/// E-REQUEST for an unknown call, an unknown argument, one of another kind, or one that is missing.
Result<Answer> run_call(Session& session, const std::string& name, const nlohmann::json& arguments,
                        const std::string& agent);
/// What run_call refuses before it runs anything.
Status check_arguments(const Call& call, const nlohmann::json& arguments);

}  // namespace hone::app
