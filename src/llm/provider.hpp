#pragma once
// A kind of model as one row: the word before the colon of `--model`, what follows it, and how it is opened. Adding a
// provider is a file with its row and one line in providers.cpp; parsing, help and error texts read the table.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/language_model.hpp"

namespace hone::llm {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// What a person must be told while a model is waited for.
using Notice = std::function<void(const std::string& line)>;
/// Somebody wants the run to end: whoever waits asks this several times a second.
using Stop = std::function<bool()>;

/// What a provider may use of the process it runs in.
struct Surroundings {
  Environment environment;
  Notice notice = [](const std::string&) {};
  Stop stop = [] { return false; };
};

struct Provider {
  std::string_view prefix;  // "mailbox"
  std::string_view names;   // what the part behind the colon is: "DIR"
  Result<std::unique_ptr<LanguageModel>> (*open)(const std::string& name, const Surroundings& surroundings);
};

std::span<const Provider* const> providers();
/// "command:PROG, mailbox:DIR, ... or anthropic:NAME", for help and errors.
std::string provider_forms();

/// The error of a wait that was ended from outside.
inline tl::unexpected<Error> stopped() { return fail("E-STOPPED", "interrupted while waiting for the model"); }

}  // namespace hone::llm
