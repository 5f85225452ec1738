// The rows of servers that speak HTTP: where they are and how they are let in, from the environment.

#include "base/text.hpp"
#include "llm/chat_json.hpp"
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

Result<std::unique_ptr<LanguageModel>> open_chat(const Home& home, std::string model,
                                                 const Surroundings& surroundings) {
  const auto& environment = surroundings.environment;
  Endpoint endpoint;
  endpoint.protocol = home.protocol;
  endpoint.model = std::move(model);
  endpoint.base_url = without_slash(first_of(environment, {"HONE_BASE_URL", home.url_variable}, home.url));
  endpoint.key = first_of(environment, {"HONE_API_KEY", home.key_variable}, "");
  endpoint.stream = first_of(environment, {"HONE_STREAM"}, "1") == "1";
  endpoint.system = first_of(environment, {"HONE_SYSTEM"}, "");
  endpoint.options = first_of(environment, {"HONE_MODEL_OPTIONS"}, "");
  if (!endpoint.options.empty() && !parsed(endpoint.options).is_object())
    return fail("E-MODEL", "HONE_MODEL_OPTIONS is no JSON object",
                "export HONE_MODEL_OPTIONS='{\"temperature\": 0.2, \"reasoning_effort\": \"high\"}'");
  for (const auto& line : split(first_of(environment, {"HONE_HEADERS"}, ""), '\n'))
    if (!trim(line).empty()) endpoint.headers.emplace_back(trim(line));
  const auto tokens = first_of(environment, {"HONE_MAX_TOKENS"}, "");
  if (!tokens.empty() && tokens.size() < 8 && tokens.find_first_not_of("0123456789") == std::string::npos)
    endpoint.most_tokens = std::stoi(tokens);
  for (const auto& [name, into] :
       {std::pair("HONE_FIRST_BYTE", &endpoint.first_byte), std::pair("HONE_STALL", &endpoint.stall)}) {
    const auto seconds = first_of(environment, {name}, "");
    if (!seconds.empty() && seconds.size() < 8 && seconds.find_first_not_of("0123456789") == std::string::npos)
      *into = Seconds(std::stod(seconds));
  }
  if (endpoint.key.empty() && endpoint.base_url == home.url)
    return fail("E-MODEL", std::string(home.url) + " wants a key",
                std::string("export ") + home.key_variable + "=..., or set HONE_BASE_URL to a server of your own");
  return std::make_unique<ChatModel>(std::move(endpoint), surroundings.stop);
}

constexpr auto openai_url = "https://api.openai.com/v1";

}  // namespace

const Provider openai_provider = {
    "openai", "NAME", [](const std::string& model, const Surroundings& surroundings) {
      return open_chat({Protocol::OpenAi, openai_url, "OPENAI_BASE_URL", "OPENAI_API_KEY"}, model, surroundings);
    }};

const Provider responses_provider = {
    "responses", "NAME", [](const std::string& model, const Surroundings& surroundings) {
      return open_chat({Protocol::Responses, openai_url, "OPENAI_BASE_URL", "OPENAI_API_KEY"}, model, surroundings);
    }};

const Provider anthropic_provider = {
    "anthropic", "NAME", [](const std::string& model, const Surroundings& surroundings) {
      return open_chat({Protocol::Anthropic, "https://api.anthropic.com/v1", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"},
                       model, surroundings);
    }};

}  // namespace hone::llm
