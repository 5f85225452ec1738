#include "llm/open_model.hpp"

#include <cstdlib>

#include "llm/chat_model.hpp"
#include "llm/command_model.hpp"
#include "llm/mailbox_model.hpp"

namespace hone::llm {
namespace {

std::string first_of(const Environment& environment, std::initializer_list<const char*> names, std::string otherwise) {
  for (const char* name : names)
    if (auto value = environment(name); value && !value->empty()) return *value;
  return otherwise;
}

std::string without_slash(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

Result<std::unique_ptr<LanguageModel>> open_chat(Protocol protocol, std::string model, const Environment& environment) {
  const bool openai = protocol == Protocol::OpenAi;
  const std::string home = openai ? "https://api.openai.com/v1" : "https://api.anthropic.com/v1";
  Endpoint endpoint;
  endpoint.protocol = protocol;
  endpoint.model = std::move(model);
  endpoint.base_url =
      without_slash(first_of(environment, {"HONE_BASE_URL", openai ? "OPENAI_BASE_URL" : "ANTHROPIC_BASE_URL"}, home));
  endpoint.key = first_of(environment, {"HONE_API_KEY", openai ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY"}, "");
  endpoint.stream = first_of(environment, {"HONE_STREAM"}, "0") == "1";
  if (endpoint.key.empty() && endpoint.base_url == home)
    return fail("E-MODEL", home + " wants a key",
                std::string("export ") + (openai ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY") +
                    "=..., or set HONE_BASE_URL to a server of your own");
  return std::make_unique<ChatModel>(std::move(endpoint));
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

Result<std::unique_ptr<LanguageModel>> open_model(const std::string& description, const Environment& environment,
                                                  const Notice& notice) {
  const auto colon = description.find(':');
  const std::string kind = description.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : description.substr(colon + 1);
  if (!rest.empty()) {
    if (kind == "command") return std::make_unique<CommandModel>(rest);
    if (kind == "mailbox") return std::make_unique<MailboxModel>(rest, notice);
    if (kind == "openai") return open_chat(Protocol::OpenAi, rest, environment);
    if (kind == "anthropic") return open_chat(Protocol::Anthropic, rest, environment);
  }
  return fail("E-MODEL", "`" + description + "` names no model",
              "--model command:PROG, mailbox:DIR, openai:MODEL or anthropic:MODEL");
}

}  // namespace hone::llm
