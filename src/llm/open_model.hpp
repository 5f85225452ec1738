#pragma once
// From the words behind `--model` to a LanguageModel. Base URLs and keys come from the environment; a key is put into
// the request's header and nowhere else.

#include "llm/provider.hpp"

namespace hone::llm {

/// E-MODEL when the description is of no known kind or a key is missing.
Result<std::unique_ptr<LanguageModel>> open_model(const std::string& description, const Surroundings& surroundings);
/// The process's own environment.
Environment process_environment();

}  // namespace hone::llm
