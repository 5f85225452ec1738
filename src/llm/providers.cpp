#include "llm/agent_model.hpp"
#include "llm/chat_model.hpp"
#include "llm/command_model.hpp"
#include "llm/mailbox_model.hpp"
#include "llm/provider.hpp"

namespace hone::llm {

std::span<const Provider* const> providers() {
  static constexpr const Provider* all[] = {
      &command_provider, &mailbox_provider, &openai_provider, &responses_provider, &anthropic_provider, &agent_provider,
  };
  return all;
}

std::string provider_forms() {
  std::string out;
  const auto all = providers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out += i + 1 == all.size() ? " or " : ", ";
    out += std::string(all[i]->prefix) + ":" + std::string(all[i]->names);
  }
  return out;
}

}  // namespace hone::llm
