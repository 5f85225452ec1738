#include "llm/chat_model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace hone::llm {
namespace {

using Json = nlohmann::json;

/// The beginning of a text that came from outside, on one line.
std::string beginning(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 160)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out.empty() ? "an empty answer" : out;
}

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

/// A member of a member ..., or null when something on the way is missing.
const Json& at(const Json& json, std::initializer_list<std::string> path) {
  static const Json none;
  const Json* here = &json;
  for (const auto& key : path) {
    const bool index = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    if (index && here->is_array() && std::stoul(key) < here->size())
      here = &(*here)[std::stoul(key)];
    else if (!index && here->is_object() && here->contains(key))
      here = &(*here)[key];
    else
      return none;
  }
  return *here;
}

std::string text_at(const Json& json, std::initializer_list<std::string> path) {
  const Json& found = at(json, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

bool was_cut(const Json& json) {
  return text_at(json, {"choices", "0", "finish_reason"}) == "length" ||
         text_at(json, {"stop_reason"}) == "max_tokens" || text_at(json, {"delta", "stop_reason"}) == "max_tokens";
}

std::string whole_text(Protocol protocol, const Json& json) {
  if (protocol == Protocol::OpenAi) return text_at(json, {"choices", "0", "message", "content"});
  std::string text;
  if (at(json, {"content"}).is_array())
    for (const auto& part : json["content"]) text += text_at(part, {"text"});
  return text;
}

std::string piece_text(Protocol protocol, const Json& json) {
  return protocol == Protocol::OpenAi ? text_at(json, {"choices", "0", "delta", "content"})
                                      : text_at(json, {"delta", "text"});
}

Result<Reply> streamed(Protocol protocol, const std::string& body) {
  Reply reply;
  bool ended = false;
  for (const auto& line : split(body, '\n')) {
    const auto content = trim(line);
    if (content.substr(0, 5) != "data:") continue;
    const std::string data(trim(content.substr(5)));
    if (data == "[DONE]") {
      ended = true;
      continue;
    }
    const Json event = parsed(data);
    if (event.is_discarded()) return fail("E-REPLY", "the stream broke off in: " + beginning(data));
    reply.text += piece_text(protocol, event);
    reply.cut = reply.cut || was_cut(event);
    ended = ended || text_at(event, {"type"}) == "message_stop" ||
            !text_at(event, {"choices", "0", "finish_reason"}).empty();
  }
  if (!ended) return fail("E-REPLY", "the stream ended before the reply was complete");
  return reply;
}

std::string without_key(std::string text, const std::string& key) {
  return key.empty() ? text : replace_all(std::move(text), key, "(key)");
}

std::string error_text(const std::string& body) {
  const Json json = parsed(body);
  for (const auto& found : {text_at(json, {"error", "message"}), text_at(json, {"error"}), text_at(json, {"message"})})
    if (!found.empty()) return beginning(found);
  return beginning(body);
}

std::string advice(int status) {
  if (status == 401 || status == 403) return "check the key in HONE_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY";
  if (status == 404) return "check the base URL and the model's name";
  return "";
}

}  // namespace

std::string ChatModel::name() const {
  return (endpoint_.protocol == Protocol::OpenAi ? "openai:" : "anthropic:") + endpoint_.model;
}

HttpRequest chat_request(const Endpoint& endpoint, const std::string& prompt) {
  Json body = {{"model", endpoint.model},
               {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
               {"stream", endpoint.stream}};
  HttpRequest request;
  request.headers = {"content-type: application/json"};
  if (endpoint.protocol == Protocol::OpenAi) {
    request.url = endpoint.base_url + "/chat/completions";
    if (!endpoint.key.empty()) request.headers.push_back("authorization: Bearer " + endpoint.key);
  } else {
    request.url = endpoint.base_url + "/messages";
    request.headers.push_back("anthropic-version: 2023-06-01");
    if (!endpoint.key.empty()) request.headers.push_back("x-api-key: " + endpoint.key);
    body["max_tokens"] = endpoint.most_tokens;
  }
  // Kernel text may hold bytes that are no UTF-8; JSON cannot.
  request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return request;
}

Result<Reply> reply_of(Protocol protocol, const std::string& body) {
  const auto start = trim(body);
  if (start.substr(0, 5) == "data:" || start.substr(0, 6) == "event:") return streamed(protocol, body);
  const Json json = parsed(body);
  if (json.is_discarded()) return fail("E-REPLY", "the server's answer is not JSON: " + beginning(body));
  Reply reply{whole_text(protocol, json), was_cut(json)};
  if (reply.text.empty()) return fail("E-REPLY", "the server's answer has no text: " + beginning(body));
  return reply;
}

Result<Reply> ChatModel::complete(const std::string& prompt, Seconds timeout) {
  auto answer = post_patiently(chat_request(endpoint_, prompt), timeout, endpoint_.retries);
  if (!answer) return fail(std::move(answer).error().context("asking " + name()));
  if (answer->status != 200)
    return fail(
        "E-MODEL",
        fmt::format("{} answered {}: {}", name(), answer->status, without_key(error_text(answer->body), endpoint_.key)),
        advice(answer->status));
  auto reply = reply_of(endpoint_.protocol, answer->body);
  if (!reply) {
    const Error& error = reply.error();
    return fail(error.code(), fmt::format("asking {}: {}", name(), without_key(error.message(), endpoint_.key)),
                error.next());
  }
  return reply;
}

}  // namespace hone::llm
