#include "agents/model_proposer.hpp"

#include <fmt/format.h>

#include "agents/prompts.hpp"
#include "agents/reply.hpp"
#include "base/hash.hpp"
#include "core/format.hpp"

namespace hone::agents {
namespace {

constexpr std::string_view repair_mark = "+repaired";

/// Half a kernel is none, even where it looks like one.
Result<std::vector<Template>> whole_templates_in(const Reply& reply, const Mep& mep, const std::string& name,
                                                 const RuleForms& rules) {
  if (reply.cut) return fail("E-REPLY", "the answer was cut off at the length limit: give a shorter one, code first");
  return templates_in(reply.text, mep, name, rules);
}

}  // namespace

Result<Reply> ModelProposer::ask(const std::string& prompt) {
  auto reply = model_.complete(prompt, options_.timeout);
  if (!reply) {
    ++failures_;
    return fail(std::move(reply).error());
  }
  return reply;
}

Result<std::vector<Template>> ModelProposer::ask_for_templates(const std::string& prompt, const Mep& mep,
                                                               const std::string& name) {
  auto reply = ask(prompt);
  if (!reply) return fail(std::move(reply).error());
  auto templates = whole_templates_in(*reply, mep, name, options_.rules);
  if (templates) return templates;
  auto again = ask(format_prompt(prompt, templates.error(), mep.language));
  if (!again) return fail(std::move(again).error());
  return whole_templates_in(*again, mep, name, options_.rules);
}

bool ModelProposer::is_new(const Template& value) {
  Template nameless = value;
  nameless.name.clear();
  nameless.rationale.clear();
  std::string content;
  for (const auto& [file, text] : to_files(nameless)) content.append(file).append("\n").append(text);
  return seen_.insert(content_hash(content)).second;
}

RoundContext ModelProposer::planned(const RoundContext& context) {
  if (!options_.plan || context.suggestions.size() < 2) return context;
  auto reply = ask(planning_prompt(context));
  auto chosen =
      reply ? plan_in(reply->text, context.suggestions.size()) : Result<std::vector<std::size_t>>(fail(reply.error()));
  if (!chosen) {
    declined_.push_back(fmt::format("{}: no plan: {}", name(), chosen.error().message()));
    return context;
  }
  RoundContext narrowed = context;
  narrowed.suggestions.clear();
  for (const std::size_t number : *chosen) narrowed.suggestions.push_back(context.suggestions[number - 1]);
  return narrowed;
}

Result<std::vector<Template>> ModelProposer::propose(const RoundContext& context) {
  std::vector<Template> out;
  if (failures_ >= options_.most_failures) return out;
  const RoundContext asked = planned(context);
  std::vector<std::string> names;
  std::optional<Error> last;
  for (std::size_t i = 1; i <= context.limit && out.size() < context.limit && failures_ < options_.most_failures; ++i) {
    auto answer = ask_for_templates(generation_prompt(asked, i, names, options_.rules), context.mep,
                                    fmt::format("model-{}-{}", context.round, i));
    if (!answer) {
      declined_.push_back(
          fmt::format("{}: round {}, candidate {}: {}", name(), context.round, i, answer.error().message()));
      // Only a dead model is an error; one that talks nonsense has simply nothing to propose.
      if (answer.error().code() != "E-REPLY") last = answer.error();
      continue;
    }
    failures_ = 0;
    for (auto& value : *answer) {
      if (out.size() == context.limit) break;
      if (!is_new(value)) {
        declined_.push_back(
            fmt::format("{}: round {}, candidate {}: {} was proposed before", name(), context.round, i, value.name));
        continue;
      }
      names.push_back(value.name);
      out.push_back(std::move(value));
    }
  }
  if (out.empty() && last) return fail(*last);
  return out;
}

Result<std::optional<Template>> ModelProposer::repair(const RoundContext& context, const Fault& fault) {
  if (failures_ >= options_.most_failures) return std::nullopt;
  const std::string name = fault.proposed.name + std::string(repair_mark);
  auto answer = ask_for_templates(repair_prompt(context, fault), context.mep, name);
  if (!answer) {
    declined_.push_back(fmt::format("{}: mending {}: {}", this->name(), fault.proposed.name, answer.error().message()));
    if (answer.error().code() == "E-REPLY") return std::nullopt;
    return fail(std::move(answer).error());
  }
  failures_ = 0;
  Template repaired = std::move(answer->front());
  repaired.name = name;
  if (!is_new(repaired)) {
    declined_.push_back(fmt::format("{}: mending {}: the answer was tried before", this->name(), fault.proposed.name));
    return std::nullopt;
  }
  return repaired;
}

}  // namespace hone::agents
