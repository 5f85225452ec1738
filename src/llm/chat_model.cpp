#include "llm/chat_model.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "llm/chat_json.hpp"

namespace hone::llm {
namespace {

constexpr auto go_on = "Your answer was cut off. Go on exactly where it stopped: repeat nothing, add no remark.";

std::string without_key(std::string text, const std::string& key) {
  return key.empty() ? text : replace_all(std::move(text), key, "(key)");
}

std::string error_text(const std::string& body) {
  const Json json = parsed(body);
  for (const auto& found : {text_at(json, {"error", "message"}), text_at(json, {"error"}), text_at(json, {"message"})})
    if (!found.empty()) return beginning(found);
  return beginning(body);
}

std::string advice(const HttpAnswer& answer) {
  if (answer.status == 401 || answer.status == 403)
    return "check the key in HONE_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY";
  if (answer.status == 404) return "check the base URL and the model's name";
  if (answer.retry_after.count() > 0)
    return fmt::format("run the same command again in {:.0f} s: what was answered is kept", answer.retry_after.count());
  return "";
}

/// The question, and after an answer that was cut the part that is there.
Json messages_of(const Endpoint& endpoint, const Question& question) {
  Json out = Json::array();
  if (!endpoint.system.empty() && endpoint.protocol != Protocol::Anthropic)
    out.push_back({{"role", "system"}, {"content", endpoint.system}});
  out.push_back({{"role", "user"}, {"content", question.prompt}});
  if (!question.answered.empty()) {
    out.push_back({{"role", "assistant"}, {"content", question.answered}});
    out.push_back({{"role", "user"}, {"content", go_on}});
  }
  return out;
}

}  // namespace

std::string ChatModel::name() const {
  const char* const prefixes[] = {"openai:", "responses:", "anthropic:"};
  return prefixes[static_cast<int>(endpoint_.protocol)] + endpoint_.model;
}

bool is_loopback(const std::string& url) {
  auto host = url.substr(std::min(url.size(), url.find("://") == std::string::npos ? 0 : url.find("://") + 3));
  host = host.substr(0, host.find('/'));
  if (const auto user = host.rfind('@'); user != std::string::npos) host.erase(0, user + 1);
  host = host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]" ||
         host == "0.0.0.0" || host == "[::]";
}

HttpRequest chat_request(const Endpoint& endpoint, const Question& question) {
  const bool anthropic = endpoint.protocol == Protocol::Anthropic, responses = endpoint.protocol == Protocol::Responses;
  Json body = {{"model", endpoint.model}, {"stream", endpoint.stream}};
  body[responses ? "input" : "messages"] = messages_of(endpoint, question);
  HttpRequest request;
  request.headers = {"content-type: application/json"};
  request.url = endpoint.base_url + (anthropic ? "/messages" : responses ? "/responses" : "/chat/completions");
  if (anthropic) {
    request.headers.push_back("anthropic-version: 2023-06-01");
    if (!endpoint.key.empty()) request.headers.push_back("x-api-key: " + endpoint.key);
    body["max_tokens"] = endpoint.most_tokens;
    if (!endpoint.system.empty()) body["system"] = endpoint.system;
  } else {
    if (!endpoint.key.empty()) request.headers.push_back("authorization: Bearer " + endpoint.key);
    if (responses) body["max_output_tokens"] = endpoint.most_tokens;
    if (!responses && endpoint.stream) body["stream_options"] = {{"include_usage", true}};
    // Servers disagree on its name for chat; the members of `options` may say it either way.
    if (!responses && !endpoint.options.empty()) body["max_tokens"] = endpoint.most_tokens;
  }
  if (const Json more = parsed(endpoint.options); more.is_object()) {
    if (more.contains("max_completion_tokens")) body.erase("max_tokens");
    body.update(more);
  }
  request.headers.insert(request.headers.end(), endpoint.headers.begin(), endpoint.headers.end());
  // Kernel text may hold bytes that are no UTF-8; JSON cannot.
  request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return request;
}

Result<Reply> ChatModel::complete(const Question& question, Seconds timeout) {
  auto request = chat_request(endpoint_, question);
  ReplyStream stream(endpoint_.protocol);
  if (endpoint_.stream) {
    request.begins = [&] { stream = ReplyStream(endpoint_.protocol); };
    request.piece = [&](std::string_view piece) { return stream.take(piece); };
    request.first_byte = endpoint_.first_byte;
    request.stall = endpoint_.stall;
  }
  auto answer = post_patiently(request, timeout, endpoint_.retries, stop_);
  if (!answer) return fail(std::move(answer).error().context("asking " + name()));
  if (answer->status != 200)
    return fail(
        "E-MODEL",
        fmt::format("{} answered {}: {}", name(), answer->status, without_key(error_text(answer->body), endpoint_.key)),
        advice(*answer));
  auto reply = stream.is_one() ? stream.reply() : reply_of(endpoint_.protocol, answer->body);
  if (!reply && !answer->broken.empty()) reply = fail("E-REPLY", "the stream broke off: " + answer->broken);
  if (!reply) {
    const Error& error = reply.error();
    return fail(error.code(), fmt::format("asking {}: {}", name(), without_key(error.message(), endpoint_.key)),
                error.next());
  }
  return reply;
}

}  // namespace hone::llm
