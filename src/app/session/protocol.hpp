#pragma once
// What is said on the wire: a line of JSON comes in, a line goes out, or nothing. Two tongues over the same calls: JSON
// lines, and JSON-RPC 2.0 with the methods of the Model Context Protocol that a server of tools needs. Nothing here
// knows of MEPs.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "app/console.hpp"

namespace hone::app {

/// What both tongues speak of.
struct Callable {
  std::string version;       // of Hone
  std::string instructions;  // for whoever connects
  nlohmann::json tools;      // name, description and inputSchema of each call
  std::string agent;         // who asks, where nobody says
  std::function<Result<Answer>(const std::string& name, const nlohmann::json& arguments, const std::string& agent)> run;

  bool has(const std::string& name) const;
};

class Tongue {
 public:
  virtual ~Tongue() = default;
  /// Empty: nothing is to be said. Otherwise one line, without its end.
  virtual std::string answer(const std::string& line) = 0;
  virtual std::string too_long() = 0;
};

/// {"id": 1, "call": "check", "arguments": {...}, "agent": "me"} gives {"id": 1, "code": 0, "text": "...", "data":
/// {...}} or {"id": 1, "error": {"code": "E-...", "message": "...", "next": "..."}}.
class JsonLines final : public Tongue {
 public:
  explicit JsonLines(const Callable& calls) : calls_(calls) {}
  std::string answer(const std::string& line) override;
  std::string too_long() override;

 private:
  const Callable& calls_;
};

class ModelContext final : public Tongue {
 public:
  explicit ModelContext(const Callable& calls) : calls_(calls), agent_(calls.agent) {}
  std::string answer(const std::string& line) override;
  std::string too_long() override;

 private:
  nlohmann::json respond(const nlohmann::json& message);
  nlohmann::json result_of(const nlohmann::json& id, const std::string& method, const nlohmann::json& params);
  nlohmann::json initialized(const nlohmann::json& params);
  const Callable& calls_;
  std::string agent_;
};

}  // namespace hone::app
