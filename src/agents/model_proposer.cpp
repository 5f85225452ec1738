#include "agents/model_proposer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agents/describe.hpp"
#include "agents/prompt_text.hpp"
#include "agents/reply.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "core/format.hpp"

namespace hone::agents {
namespace {

constexpr std::string_view repair_mark = "+repaired";

std::string first_name(std::string name) {
  while (name.ends_with(repair_mark)) name.resize(name.size() - repair_mark.size());
  return name;
}

std::string identity_of(const Incumbent& incumbent) { return hash_of(incumbent.variant); }

bool is_of_the_answer(const Error& error) { return error.code() == "E-REPLY"; }

}  // namespace

bool ModelProposer::has_more() const {
  return !is_alone() && !nothing_more_ && rounds_.size() < static_cast<std::size_t>(options_.rounds);
}

void ModelProposer::decline(const std::string& where, const std::string& why) {
  declined_.push_back(fmt::format("{}: {}: {}", name(), where, why));
}

/// Without what a comparison leaves out.
RoundContext ModelProposer::told(RoundContext context) const {
  if (!options_.inherit) context.patterns.clear();
  if (!options_.profile) {
    context.profile = {};
    context.suggestions.clear();
    context.briefing = {};
  }
  return context;
}

Result<Reply> ModelProposer::ask(const std::string& prompt, const std::string& role, Place place) {
  Question question(prompt);
  question.role = role;
  question.round = place.round;
  question.slot = place.slot;
  question.attempt = attempts_[place]++;
  auto reply = model_.complete(question, options_.timeout);
  if (reply) return reply;
  if (reply.error().code() == "E-SPENT")
    spent_ = true;
  else if (reply.error().code() != "E-STOPPED")
    ++failures_;
  return reply;
}

std::vector<std::string> ModelProposer::declined() const {
  auto out = declined_;
  for (const auto& line : in_words(repairs_)) out.push_back(name() + ": " + line);
  return out;
}

void ModelProposer::note_citations(const Reply& reply, const RoundContext& context, const Template& value) {
  for (const auto number : patterns_cited(reply.text))
    if (number <= context.patterns.size() && number <= most_patterns)
      citations_.push_back({value.name, context.patterns[number - 1].trial});
}

Result<std::vector<Template>> ModelProposer::usable(const Reply& reply, const RoundContext& context,
                                                    const std::string& name) {
  // Half a kernel is none, even where it looks like one.
  if (reply.cut) return fail("E-REPLY", "the answer was cut off at the length limit: give a shorter one, code first");
  auto points = points_in(reply.text, context.parents);
  if (!points) return fail(std::move(points).error());
  if (*points) return std::move(**points);
  std::vector<std::string> mended;
  auto templates = templates_in(reply.text, {context.mep, options_.rules, &context.device, &mended}, name);
  if (!templates) return fail(std::move(templates).error());
  if (!mended.empty()) decline(name, "mended without asking: " + one_line(join(mended, "; ")));
  auto value = std::move(templates->back());
  if (!options_.templates) {
    for (auto& parameter : value.space.parameters) parameter.values = {parameter.default_value};
    if (!value.space.parameters.empty()) value.name += "-fixed";
  }
  note_citations(reply, context, value);
  return std::vector{std::move(value)};
}

std::optional<std::string> ModelProposer::given_before(const Template& value) {
  Template nameless = value;
  nameless.name.clear();
  nameless.rationale.clear();
  std::string content;
  for (const auto& [file, text] : to_files(nameless)) content.append(file).append("\n").append(text);
  const auto [known, is_new] = seen_.try_emplace(content_hash(content), value.name);
  return is_new ? std::nullopt : std::optional(known->second);
}

Result<std::vector<Template>> ModelProposer::new_ones(std::vector<Template> values) {
  std::vector<Template> out;
  std::string known;
  for (auto& value : values) {
    if (const auto before = given_before(value))
      known = *before;
    else
      out.push_back(std::move(value));
  }
  if (!out.empty()) return out;
  return fail("E-REPLY",
              fmt::format("the same template was given before, as `{}`; see what became of it above", known));
}

Result<std::vector<Template>> ModelProposer::ask_for_templates(const std::string& prompt, const std::string& role,
                                                               Place place, const RoundContext& context,
                                                               const std::string& name) {
  std::string asking = prompt;
  for (int returns = 0;; ++returns) {
    auto reply = ask(asking, role, place);
    if (!reply) return fail(std::move(reply).error());
    if (const auto reason = nothing_more_in(reply->text)) {
      decline(fmt::format("round {}", place.round), "nothing more: " + one_line(*reason));
      nothing_more_ = role == "generate";
      nothing_more_for_ = identity_of(context.incumbent);
      return std::vector<Template>();
    }
    auto values = usable(*reply, context, name);
    if (values) values = new_ones(std::move(*values));
    if (values || returns >= options_.most_returns) return values;
    asking = format_prompt(prompt, reply->text, values.error().message());
  }
}

/// What this round's candidates are to be. Without a plan each chooses for itself.
void ModelProposer::plan(const RoundContext& context) {
  const Place place{context.round, 0};
  auto prompt = planning_prompt(context, options_.rules);
  for (const auto& planned : tree_) {
    if (&planned == &tree_.front()) prompt += "\nDirections planned so far:\n";
    const auto outcome = std::ranges::find(context.tried, planned.template_name, &Attempt::template_name);
    prompt += fmt::format("- round {}: {}: {}\n", planned.round, one_line(planned.direction.action),
                          outcome == context.tried.end() ? std::string("nothing came of it") : outcome->fate);
  }
  const auto reply = ask(prompt, "plan", place);
  if (!reply) return decline(fmt::format("round {}, plan", context.round), reply.error().message());
  if (const auto reason = nothing_more_in(reply->text)) {
    nothing_more_ = true;
    nothing_more_for_ = identity_of(context.incumbent);
    return decline(fmt::format("round {}", context.round), "nothing more: " + one_line(*reason));
  }
  auto directions = plan_in(reply->text, std::min(options_.candidates, context.slots));
  if (!directions) return decline(fmt::format("round {}, plan", context.round), directions.error().message());
  for (auto& direction : *directions) tree_.push_back({context.round, std::move(direction), ""});
}

Direction ModelProposer::direction_for(const RoundContext& context, int slot) const {
  std::vector<Direction> planned;
  for (const auto& one : tree_)
    if (one.round == context.round) planned.push_back(one.direction);
  Direction out;
  const auto at = static_cast<std::size_t>(slot - 1);
  if (at < planned.size()) out = planned[at];
  for (std::size_t i = 0; i < planned.size(); ++i)
    if (i != at) out.siblings.push_back(planned[i].action);
  if (planned.empty())
    for (const auto& attempt : context.tried)
      if (attempt.round == context.round && attempt.proposer == name()) out.siblings.push_back(attempt.template_name);
  return out;
}

Result<std::vector<Template>> ModelProposer::propose(const RoundContext& context) {
  std::vector<Template> out;
  if (nothing_more_ && nothing_more_for_ != identity_of(context.incumbent)) nothing_more_ = false;
  if (!rounds_.contains(context.round) && rounds_.size() >= static_cast<std::size_t>(options_.rounds)) return out;
  std::optional<Error> last;
  for (std::size_t i = 0; i < context.limit; ++i) {
    const auto slot = static_cast<int>(context.slot + i);
    if (is_alone() || nothing_more_ || context.slot + i > options_.candidates) break;
    const bool first = rounds_.insert(context.round).second;
    if (first && options_.plan) plan(told(context));
    if (is_alone() || nothing_more_) break;
    auto asked = told(context);
    asked.slot += i;
    asked.slots = std::min(options_.candidates, std::max(context.slots, context.slot + context.limit - 1));
    auto direction = direction_for(asked, slot);
    for (const auto& value : out) direction.siblings.push_back(value.name);
    const Place place{context.round, slot};
    const auto where = fmt::format("round {}, candidate {}", context.round, slot);
    auto answer = ask_for_templates(generation_prompt(asked, direction, options_.rules), "generate", place, asked,
                                    fmt::format("model-{}-{}", context.round, slot));
    if (!answer) {
      decline(where, answer.error().message());
      // Only a dead model is an error; one that talks nonsense has simply nothing to propose.
      if (!is_of_the_answer(answer.error())) last = answer.error();
      if (answer.error().code() == "E-STOPPED") break;
      continue;
    }
    failures_ = 0;
    if (answer->empty()) break;
    places_.try_emplace(answer->front().name, place);
    for (auto& planned : tree_)
      if (planned.round == context.round && planned.direction.action == direction.action)
        planned.template_name = answer->front().name;
    for (auto& value : *answer) out.push_back(std::move(value));
  }
  if (out.empty() && last) return fail(*last);
  return out;
}

Result<std::optional<Template>> ModelProposer::repair(const RoundContext& context, const Fault& fault) {
  if (is_alone()) return std::nullopt;
  const std::string name = fault.proposed.name + std::string(repair_mark);
  const auto origin = first_name(fault.proposed.name);
  const auto place = places_.contains(origin) ? places_[origin] : Place{context.round, 0};
  auto& history = failed_[origin];
  auto& count = repairs_[std::string(name_of(fault.verdict))];
  ++count.asked;
  auto answer =
      ask_for_templates(repair_prompt(told(context), fault, history, options_.rules), "repair", place, context, name);
  history.push_back(fmt::format("{}: {}", name_of(fault.verdict), one_line(reason_of(fault.verdict), 300)));
  if (!answer) {
    decline("mending " + fault.proposed.name, answer.error().message());
    if (is_of_the_answer(answer.error())) return std::nullopt;
    return fail(std::move(answer).error());
  }
  failures_ = 0;
  if (answer->empty()) return std::nullopt;
  ++count.answered;
  auto value = std::move(answer->front());
  value.name = name;
  // One that builds because the idea is gone tells nothing of the idea: the direction has failed.
  if (options_.transformations) {
    const auto gone = dropped_idea(options_.transformations(fault.proposed), options_.transformations(value));
    ++(gone ? count.dropped : count.kept);
    if (gone) {
      decline("mending " + fault.proposed.name, "the repair dropped the idea (" + *gone + "), so the direction failed");
      return std::nullopt;
    }
  }
  return value;
}

}  // namespace hone::agents
