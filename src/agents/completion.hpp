#pragma once
// Completion by a model: the question what a kernel is called with, where the application's code does not say it, and
// the answer's form. An answer can fill that form and nothing else: no option of a compiler, no include, no path.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/completion.hpp"
#include "core/extraction.hpp"

namespace hone::agents {

struct CompletionTask {
  const Extraction& extraction;
  std::string missing;               // what the code alone came to: an error, or what of it is a guess
  std::vector<std::string> limits;   // how long a pass may take, how large data may be
  std::vector<std::string> earlier;  // what others proposed, a line each with its score
};

std::string completion_prompt(const CompletionTask& task);
/// The answer that failed, and why.
std::string completion_repair_prompt(const std::string& asked, const std::string& answer, const std::string& error);

/// E-REPLY says what of the form is not kept.
Result<Completion> completion_in(const std::string& reply, const Extraction& extraction);

}  // namespace hone::agents
