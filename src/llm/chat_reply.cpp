// Where the three protocols put the text of an answer, its end and its count of tokens.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "llm/chat_json.hpp"
#include "llm/chat_model.hpp"

namespace hone::llm {
namespace {

bool was_cut(const Json& json) {
  return text_at(json, {"choices", "0", "finish_reason"}) == "length" ||
         text_at(json, {"stop_reason"}) == "max_tokens" || text_at(json, {"delta", "stop_reason"}) == "max_tokens" ||
         text_at(json, {"incomplete_details", "reason"}) == "max_output_tokens" ||
         text_at(json, {"response", "incomplete_details", "reason"}) == "max_output_tokens";
}

std::int64_t number_at(const Json& json, std::initializer_list<std::string> path) {
  constexpr double most = 1e15;  // whatever a server says: a count, that several can be added to
  const Json& found = at(json, path);
  return found.is_number() ? static_cast<std::int64_t>(std::clamp(found.get<double>(), 0.0, most)) : 0;
}

/// Of a `usage` object, whatever its server calls things. Anthropic leaves what its cache read out of the input.
void count(const Json& usage, Usage& into) {
  if (!usage.is_object()) return;
  const auto larger = [](std::int64_t& value, std::int64_t other) { value = std::max(value, other); };
  const auto read = number_at(usage, {"cache_read_input_tokens"});
  const auto made = number_at(usage, {"cache_creation_input_tokens"});
  larger(into.input, number_at(usage, {"prompt_tokens"}));
  larger(into.input, number_at(usage, {"input_tokens"}) + read + made);
  larger(into.output, number_at(usage, {"completion_tokens"}));
  larger(into.output, number_at(usage, {"output_tokens"}));
  larger(into.cached, number_at(usage, {"prompt_tokens_details", "cached_tokens"}));
  larger(into.cached, number_at(usage, {"input_tokens_details", "cached_tokens"}));
  larger(into.cached, read);
  larger(into.reasoning, number_at(usage, {"completion_tokens_details", "reasoning_tokens"}));
  larger(into.reasoning, number_at(usage, {"output_tokens_details", "reasoning_tokens"}));
}

/// Not all of it: printing what is nested deeply would need as deep a stack.
std::string said_of(const Json& error) {
  if (error.is_string()) return error.get<std::string>();
  const auto message = text_at(error, {"message"});
  return message.empty() ? "an error without a message" : message;
}

std::string parts_of(const Json& content) {
  std::string text;
  if (content.is_array())
    for (const auto& part : content) text += text_at(part, {"text"});
  return text;
}

std::string whole_text(Protocol protocol, const Json& json) {
  if (protocol == Protocol::OpenAi) return text_at(json, {"choices", "0", "message", "content"});
  if (protocol == Protocol::Anthropic) return parts_of(at(json, {"content"}));
  std::string text;
  if (at(json, {"output"}).is_array())
    for (const auto& item : json["output"])
      if (text_at(item, {"type"}) == "message") text += parts_of(at(item, {"content"}));
  return text;
}

std::string piece_text(Protocol protocol, const Json& json) {
  if (protocol == Protocol::OpenAi) return text_at(json, {"choices", "0", "delta", "content"});
  if (protocol == Protocol::Anthropic) return text_at(json, {"delta", "text"});
  return text_at(json, {"type"}) == "response.output_text.delta" ? text_at(json, {"delta"}) : "";
}

bool ends_stream(const Json& event) {
  const auto type = text_at(event, {"type"});
  return type == "message_stop" || type == "response.completed" || type == "response.incomplete" ||
         !text_at(event, {"choices", "0", "finish_reason"}).empty();
}

}  // namespace

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

std::string beginning(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 160)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out.empty() ? "an empty answer" : out;
}

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

void ReplyStream::line(std::string_view line) {
  const auto content = trim(line);
  if (content.substr(0, 5) != "data:") return;
  ++events_;
  const std::string data(trim(content.substr(5)));
  if (data == "[DONE]") {
    ended_ = done_ = true;
    return;
  }
  const Json event = parsed(data);
  if (event.is_discarded()) {
    if (fault_.empty()) fault_ = "the stream broke off in: " + beginning(data);
    return;
  }
  if (event.is_object() && event.contains("error") && !event["error"].is_null()) {
    if (fault_.empty()) fault_ = "the server ended the stream: " + beginning(said_of(event["error"]));
    return;
  }
  if (!fault_.empty()) return;  // what follows a gap is not the rest
  reply_.text += piece_text(protocol_, event);
  reply_.cut = reply_.cut || was_cut(event);
  count(at(event, {"usage"}), reply_.usage);
  count(at(event, {"message", "usage"}), reply_.usage);
  count(at(event, {"response", "usage"}), reply_.usage);
  ended_ = ended_ || ends_stream(event);
}

/// Only OpenAI's chat says that nothing follows; its counts come after the end of the text.
bool ReplyStream::take(std::string_view piece) {
  rest_ += piece;
  std::size_t begin = 0;
  for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
    line(std::string_view(rest_).substr(begin, end - begin));
    begin = end + 1;
  }
  rest_.erase(0, begin);
  return done_ || (protocol_ != Protocol::OpenAi && ended_);
}

Result<Reply> ReplyStream::reply() const {
  auto last = *this;
  last.line(std::exchange(last.rest_, {}));
  if (last.reply_.text.empty()) {
    if (!last.fault_.empty()) return fail("E-REPLY", last.fault_);
    return fail("E-REPLY", last.ended_ ? "the server's answer has no text" : "the stream ended before its text began");
  }
  last.reply_.cut = last.reply_.cut || !last.ended_ || !last.fault_.empty();
  return last.reply_;
}

Result<Reply> reply_of(Protocol protocol, const std::string& body) {
  const auto start = trim(body);
  if (start.substr(0, 5) == "data:" || start.substr(0, 6) == "event:" || start.substr(0, 1) == ":") {
    ReplyStream stream(protocol);
    stream.take(body);
    return stream.reply();
  }
  const Json json = parsed(body);
  if (json.is_discarded()) return fail("E-REPLY", "the server's answer is not JSON: " + beginning(body));
  Reply reply{whole_text(protocol, json), was_cut(json)};
  count(at(json, {"usage"}), reply.usage);
  if (reply.text.empty()) return fail("E-REPLY", "the server's answer has no text: " + beginning(body));
  return reply;
}

}  // namespace hone::llm
