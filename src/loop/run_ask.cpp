// Proposers that learn from each answer: asked one question at a time, the answer tried before the next. And what they
// are told of the templates that work.

#include <fmt/format.h>

#include <algorithm>

#include "loop/run.hpp"

namespace hone::loop {
namespace {

constexpr std::size_t most_parents = 3;

/// What a search showed of a template, in sentences: how much was tried, what failed, where the best lies.
std::vector<std::string> lessons_of(const Tuning& tuning) {
  std::vector<std::string> out;
  const auto& told = tuning.searched().told;
  const auto failed = std::ranges::count_if(
      told, [](const search::Told& one) { return one.outcome.kind == search::Outcome::Kind::Failed; });
  out.push_back(fmt::format("{} of its configurations were tried, {} of them failed", told.size(), failed));
  if (!tuning.best()) return out;
  for (const auto& parameter : tuning.proposed().space.parameters) {
    const auto value = tuning.best()->find(parameter.name);
    if (value == tuning.best()->end() || parameter.values.size() < 3) continue;
    const bool lowest = value->second == parameter.values.front(), highest = value->second == parameter.values.back();
    if (lowest || highest)
      out.push_back(fmt::format("{} is best at the {} of its values, {}", parameter.name, lowest ? "first" : "last",
                                print(value->second)));
  }
  return out;
}

}  // namespace

/// The incumbent first, then the fastest others: different templates, since the same one twice teaches nothing.
std::vector<Parent> Run::parents() const {
  std::vector<const Tuning*> working;
  for (const auto& tuning : tunings_)
    if (tuning.best()) working.push_back(&tuning);
  const auto& winner = best_proven();
  const auto is_winner = [&](const Tuning* tuning) { return tuning->proposed() == winner.made_of; };
  std::ranges::stable_sort(working, [&](const Tuning* a, const Tuning* b) {
    if (is_winner(a) != is_winner(b)) return is_winner(a);
    return a->best_figure() < b->best_figure();
  });
  std::vector<Parent> out;
  for (const auto* tuning : working) {
    if (out.size() == most_parents) break;
    const bool proven = is_winner(tuning);
    out.push_back({tuning->constrained(), tuning->proposer(), proven ? winner.incumbent.configuration : *tuning->best(),
                   Nanoseconds(proven ? winner.figure : tuning->best_figure()), proven, lessons_of(*tuning)});
  }
  return out;
}

std::string Run::budget_left() const {
  if (allowance_.counts_evaluations())
    return fmt::format("{:.0f} of {:.0f} evaluations", allowance_.left(), allowance_.total());
  return fmt::format("{:.0f} of {:.0f} s", allowance_.left(), allowance_.total());
}

bool Run::somebody_has_more() const {
  return is_asking() || std::ranges::any_of(ports_.proposers, &Proposer::has_more);
}

Status Run::ask_one_by_one() {
  const auto slots = affordable();
  for (auto* proposer : ports_.proposers) {
    if (!proposer->answers_one_by_one() || asks_aside(*proposer)) continue;
    for (std::size_t slot = 1; slot <= slots && !ports_.stop() && !allowance_.ended(); ++slot) {
      auto known = what_is_known();
      known.limit = 1;
      known.slot = slot;
      known.slots = slots;
      const auto first = tunings_.size();
      {
        const auto scope = ledger_.spend_on(Purpose::Proposing);
        show("asking " + proposer->name());
        auto templates = allowance_.uncounted([&] { return proposer->propose(known); });
        if (!templates) {
          refuse(proposer->name(), templates.error().message());
          break;
        }
        for (auto& proposed : *templates) add_or_mend(known, proposed, proposer->name());
      }
      if (auto done = look_at_new(known, first); !done) return done;
      for (auto& tuning : tunings_)
        if (auto done = tuning.try_seeds(context_); !done) return done;
    }
  }
  return {};
}

/// A template that cannot even be searched (a constraint over a name that is none) goes back like one that fails.
void Run::add_or_mend(const RoundContext& known, const Template& proposed, const std::string& proposer) {
  auto offered = std::optional(proposed);
  for (int repairs = 0; offered; ++repairs) {
    const auto before = replaced_.size();
    if (add(*offered, proposer, repairs) || replaced_.size() == before || repairs >= options_.repairs) return;
    const auto asked = std::ranges::find(ports_.proposers, proposer, &Proposer::name);
    const Fault fault{*offered, {}, "", Infeasible{replaced_.back().reason}};
    auto answer = allowance_.uncounted([&] { return (*asked)->repair(known, fault); });
    offered = answer ? std::move(*answer) : std::nullopt;
  }
}

}  // namespace hone::loop
