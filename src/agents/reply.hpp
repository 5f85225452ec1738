#pragma once
// What a model answered. In: its text, with prose, fences of any taste and missing pieces. Out: Templates, or an
// E-REPLY that says precisely what is missing, so that it can be sent back. Nothing here runs or trusts anything.

#include <optional>
#include <string>
#include <vector>

#include "agents/prompts.hpp"
#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::agents {

struct FencedBlock {
  std::string info;   // the words after the fence, in lower case
  std::string above;  // the last line before it: often a file's name
  std::string text;   // with "\n" line ends
};
/// In order. A fence that is never closed ends with the text. A model's <think> part is left out.
std::vector<FencedBlock> fenced_blocks(const std::string& reply);

/// What an answer is held against: whether its names exist and its steps are rules.
struct ReplyTask {
  const Mep& mep;
  const RuleForms& rules;
  const DeviceInfo* device = nullptr;          // null: any `device.*` is taken for known
  std::vector<std::string>* mended = nullptr;  // what code mended is added here
};

/// At least one, in the order given. A source must define every kernel of the Mep, every name in an expression must be
/// known; `fallback_name` is for templates that give none.
Result<std::vector<Template>> templates_in(const std::string& reply, const ReplyTask& task,
                                           const std::string& fallback_name);

/// Points of a template that works, as that template with other defaults: one for each, at most eight. Nothing when the
/// answer is not of that form; E-REPLY when it is, and names no such template, parameter or value.
Result<std::optional<std::vector<Template>>> points_in(const std::string& reply, const std::vector<Parent>& parents);

/// The numbers N of "pattern N" in the words around the code: which of the patterns it was shown an answer follows.
std::vector<std::size_t> patterns_cited(const std::string& reply);

/// The reason behind a line "NOTHING MORE: reason", when that is what the answer says.
std::optional<std::string> nothing_more_in(const std::string& reply);

/// What planning answers: different directions, best first, at most `most`.
Result<std::vector<Direction>> plan_in(const std::string& reply, std::size_t most);

}  // namespace hone::agents
