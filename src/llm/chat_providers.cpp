// The rows of servers that speak HTTP: where they are and how they are let in, from the environment.

#include "llm/chat_model.hpp"

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

struct Home {
  Protocol protocol;
  const char* url;
  const char* url_variable;
  const char* key_variable;
};

Result<std::unique_ptr<LanguageModel>> open_chat(const Home& home, std::string model, const Environment& environment) {
  Endpoint endpoint;
  endpoint.protocol = home.protocol;
  endpoint.model = std::move(model);
  endpoint.base_url = without_slash(first_of(environment, {"HONE_BASE_URL", home.url_variable}, home.url));
  endpoint.key = first_of(environment, {"HONE_API_KEY", home.key_variable}, "");
  endpoint.stream = first_of(environment, {"HONE_STREAM"}, "0") == "1";
  if (endpoint.key.empty() && endpoint.base_url == home.url)
    return fail("E-MODEL", std::string(home.url) + " wants a key",
                std::string("export ") + home.key_variable + "=..., or set HONE_BASE_URL to a server of your own");
  return std::make_unique<ChatModel>(std::move(endpoint));
}

}  // namespace

const Provider openai_provider = {
    "openai", "NAME", [](const std::string& model, const Environment& environment, const Notice&) {
      return open_chat({Protocol::OpenAi, "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY"}, model,
                       environment);
    }};

const Provider anthropic_provider = {
    "anthropic", "NAME", [](const std::string& model, const Environment& environment, const Notice&) {
      return open_chat({Protocol::Anthropic, "https://api.anthropic.com/v1", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"},
                       model, environment);
    }};

}  // namespace hone::llm
