#include "llm/open_model.hpp"

#include <cstdlib>

namespace hone::llm {

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

Result<std::unique_ptr<LanguageModel>> open_model(const std::string& description, const Surroundings& surroundings) {
  const auto colon = description.find(':');
  const std::string kind = description.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : description.substr(colon + 1);
  for (const auto* provider : providers())
    if (!name.empty() && provider->prefix == kind) return provider->open(name, surroundings);
  return fail("E-MODEL", "`" + description + "` names no model", "--model " + provider_forms());
}

}  // namespace hone::llm
