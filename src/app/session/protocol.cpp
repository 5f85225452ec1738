#include "app/session/protocol.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace hone::app {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 32;  // that values of a request lie in each other

/// Nothing when it is no JSON, or deeper than any request is.
std::optional<Json> parsed(const std::string& line) {
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  auto out = Json::parse(line, watch, false);
  if (out.is_discarded() || too_deep) return std::nullopt;
  return out;
}

std::string printed(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool is_id(const Json& id) { return id.is_string() || id.is_number() || id.is_null(); }

Json error_of(const Error& error) {
  return {{"code", error.code()}, {"message", error.message()}, {"next", error.next()}};
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json member(const Json& object, const char* name, Json otherwise) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? std::move(otherwise) : *found;
}

// ---- JSON-RPC

enum RpcCode { kParse = -32700, kInvalid = -32600, kNoMethod = -32601, kParams = -32602 };

Json rpc_error(const Json& id, RpcCode code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}
Json rpc_result(const Json& id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

/// Newest first.
constexpr std::array kProtocols = {"2025-06-18", "2025-03-26", "2024-11-05"};

Json content_of(const std::string& text, bool is_error) {
  return {{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"isError", is_error}};
}

}  // namespace

bool Callable::has(const std::string& name) const {
  return std::any_of(tools.begin(), tools.end(), [&](const Json& tool) { return tool.at("name") == name; });
}

std::string JsonLines::too_long() {
  return printed(
      {{"id", nullptr}, {"error", error_of(Error("E-REQUEST", "the line is longer than a request may be"))}});
}

std::string JsonLines::answer(const std::string& line) {
  const auto refuse = [](const Json& id, const Error& why) { return printed({{"id", id}, {"error", error_of(why)}}); };
  const auto message = parsed(line);
  if (!message || !message->is_object())
    return refuse(nullptr, Error("E-REQUEST", "the line is no JSON object", R"({"id": 1, "call": "brief"})"));
  const auto id = member(*message, "id", nullptr);
  if (!is_id(id)) return refuse(nullptr, Error("E-REQUEST", "`id` must be a text or a number"));
  const auto name = text_in(*message, "call");
  if (name.empty()) return refuse(id, Error("E-REQUEST", "`call` is missing", R"({"id": 1, "call": "brief"})"));
  const auto who = text_in(*message, "agent");
  const auto answer = calls_.run(name, member(*message, "arguments", Json::object()), who.empty() ? calls_.agent : who);
  if (!answer) return refuse(id, answer.error());
  return printed(
      {{"id", id}, {"code", static_cast<int>(answer->code)}, {"text", answer->text}, {"data", answer->data}});
}

std::string ModelContext::too_long() {
  return printed(rpc_error(nullptr, kInvalid, "the message is longer than a request may be"));
}

std::string ModelContext::answer(const std::string& line) {
  if (line.find_first_not_of(" \t") == std::string::npos) return "";
  const auto message = parsed(line);
  if (!message) return printed(rpc_error(nullptr, kParse, "the line is no JSON"));
  if (!message->is_array()) {
    const auto response = respond(*message);
    return response.is_null() ? "" : printed(response);
  }
  if (message->empty()) return printed(rpc_error(nullptr, kInvalid, "the batch is empty"));
  auto responses = Json::array();
  for (const auto& one : *message)
    if (auto response = respond(one); !response.is_null()) responses.push_back(std::move(response));
  return responses.empty() ? "" : printed(responses);
}

/// Null for what wants no answer: notifications, and answers to questions we did not ask.
Json ModelContext::respond(const Json& message) {
  if (!message.is_object()) return rpc_error(nullptr, kInvalid, "a request is an object");
  const auto id = member(message, "id", nullptr);
  if (!is_id(id)) return rpc_error(nullptr, kInvalid, "`id` must be a text or a number");
  if (text_in(message, "jsonrpc") != "2.0") return rpc_error(id, kInvalid, "`jsonrpc` must be \"2.0\"");
  if (!message.contains("method") && (message.contains("result") || message.contains("error"))) return nullptr;
  const auto method = text_in(message, "method");
  if (method.empty()) return rpc_error(id, kInvalid, "`method` is missing");
  if (!message.contains("id")) return nullptr;
  return result_of(id, method, member(message, "params", Json::object()));
}

Json ModelContext::result_of(const Json& id, const std::string& method, const Json& params) {
  if (!params.is_object()) return rpc_error(id, kParams, "`params` must be an object");
  if (method == "initialize") return rpc_result(id, initialized(params));
  if (method == "ping") return rpc_result(id, Json::object());
  if (method == "tools/list") return rpc_result(id, {{"tools", calls_.tools}});
  if (method != "tools/call") return rpc_error(id, kNoMethod, "there is no method " + method.substr(0, 80));
  const auto name = text_in(params, "name");
  if (!calls_.has(name)) return rpc_error(id, kParams, "there is no tool '" + name.substr(0, 80) + "'");
  const auto arguments = member(params, "arguments", Json::object());
  if (!arguments.is_object()) return rpc_error(id, kParams, "`arguments` must be an object");
  const auto answer = calls_.run(name, arguments, agent_);
  if (!answer) {
    auto result = content_of(answer.error().text(), true);
    result["structuredContent"] = {{"error", error_of(answer.error())}};
    return rpc_result(id, std::move(result));
  }
  auto result = content_of(answer->text, false);
  result["structuredContent"] = answer->data;
  return rpc_result(id, std::move(result));
}

Json ModelContext::initialized(const Json& params) {
  const auto asked = text_in(params, "protocolVersion");
  const bool spoken = std::ranges::find(kProtocols, asked) != kProtocols.end();
  if (const auto name = text_in(member(params, "clientInfo", Json::object()), "name"); !name.empty()) agent_ = name;
  return {{"protocolVersion", spoken ? asked : std::string(kProtocols.front())},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "hone"}, {"version", calls_.version}}},
          {"instructions", calls_.instructions}};
}

}  // namespace hone::app
