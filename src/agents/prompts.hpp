#pragma once
// The whole prompts: for a candidate, for mending one, for an answer that could not be used, and for a plan. All of a
// run begin with the same text, so that a server's prompt cache holds it; what changes comes last.

#include <string>
#include <vector>

#include "core/proposer.hpp"

namespace hone::agents {

/// What a candidate is asked to be, beside what is known.
struct Direction {
  std::string action;                 // empty: the model chooses
  std::string base;                   // the name of a parent; empty: any
  double predicted_ms = 0;            // 0: nothing was predicted
  std::vector<std::string> siblings;  // what others of this round do
};

/// Characters a prompt may have: beyond it patterns lose their code, then attempts and parents become fewer.
inline constexpr std::size_t largest_prompt = 60000;

/// Task, forms, kernel, device, loops, legal moves: the same for every question of a run.
std::string stable_prompt(const RoundContext& context, const RuleForms& rules);
std::string generation_prompt(const RoundContext& context, const Direction& direction, const RuleForms& rules);
/// `history`: what earlier repairs of the same template ran into.
std::string repair_prompt(const RoundContext& context, const Fault& fault, const std::vector<std::string>& history,
                          const RuleForms& rules);
/// The question again, with the answer and what is wrong with it.
std::string format_prompt(const std::string& asked, const std::string& answer, const std::string& error);
std::string planning_prompt(const RoundContext& context, const RuleForms& rules);

/// The examples of the reply forms as they stand in prompts, for another kernel called `scale`.
std::string example_source_reply(Language language);
std::string example_schedule_reply();
/// "task 2, forms 2, ...": what a recorded prompt was made of.
std::string prompt_versions();

}  // namespace hone::agents
