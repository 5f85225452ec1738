#pragma once
// From `--model command:PROG | mailbox:DIR | openai:MODEL | anthropic:MODEL` to a LanguageModel. Base URLs and keys
// come from the environment; a key is put into the request's header and nowhere else.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/language_model.hpp"

namespace hone::llm {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// What a person must be told while a model is waited for.
using Notice = std::function<void(const std::string& line)>;

/// E-MODEL when the description is of no known kind or a key is missing.
Result<std::unique_ptr<LanguageModel>> open_model(const std::string& description, const Environment& environment,
                                                  const Notice& notice);
/// The process's own environment.
Environment process_environment();

}  // namespace hone::llm
