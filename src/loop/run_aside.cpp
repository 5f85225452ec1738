// Somebody elsewhere is asked while this machine measures: one question at a time, its answer looked at between two
// measurements, what failed sent back as the next question. What the loop does without an answer it does meanwhile.

#include <algorithm>

#include "loop/run.hpp"

namespace hone::loop {

Run::~Run() {
  if (!asked_ || !ports_.aside->is_busy()) return;
  ports_.leave();
  while (ports_.aside->is_busy()) ports_.aside->go_on();
}

bool Run::asks_aside(const Proposer& proposer) const {
  return ports_.aside != nullptr && proposer.answers_one_by_one() && proposer.waits_elsewhere();
}

/// The questions of a round begin.
void Run::ask_aside() {
  for (auto* proposer : ports_.proposers) {
    if (!asks_aside(*proposer)) continue;
    asked_.emplace();
    asked_->proposer = proposer;
    asked_->slots = affordable();
    return ask_next();
  }
}

void Run::ask_next() {
  auto& asked = *asked_;
  const auto scope = ledger_.spend_on(Purpose::Proposing);
  asked.mends.reset();
  asked.templates = std::vector<Template>();
  asked.remedy = std::optional<Template>();
  const bool may = !ports_.stop() && !allowance_.ended();
  if (may && !asked.faulty.empty()) {
    asked.mends = asked.faulty.front();
    asked.faulty.pop_front();
    asked.known = what_is_known();
    const auto fault = *tunings_[*asked.mends].fault();
    allowance_.uncounted([&] {
      ports_.aside->start([&asked, fault] { asked.remedy = asked.proposer->repair(asked.known, fault); });
      return 0;
    });
  } else if (may && asked.slot < asked.slots) {
    asked.known = what_is_known();
    asked.known.limit = 1;
    asked.known.slot = ++asked.slot;
    asked.known.slots = asked.slots;
    allowance_.uncounted([&] {
      ports_.aside->start([&asked] { asked.templates = asked.proposer->propose(asked.known); });
      return 0;
    });
  } else {
    asked.over = true;
  }
}

bool Run::is_to_be_mended(const Tuning& tuning) const {
  if (!is_asking()) return false;
  const auto is_it = [&](std::size_t index) { return &tunings_[index] == &tuning; };
  return (asked_->mends && is_it(*asked_->mends)) || std::ranges::any_of(asked_->faulty, is_it);
}

/// The question under way is answered in full; what came of it is taken later.
void Run::let_it_answer() {
  const auto scope = ledger_.spend_on(Purpose::Proposing, Activity::Asking);
  allowance_.uncounted([&] {
    while (is_asking() && ports_.aside->is_busy()) ports_.aside->go_on();
    return 0;
  });
}

/// Between two measurements.
Status Run::hear() {
  if (!is_asking() || !ports_.arrived(ports_.aside->is_ready())) return {};
  allowance_.uncounted([&] {
    ports_.aside->go_on();
    return 0;
  });
  return ports_.aside->is_busy() ? Status() : take_answer();
}

/// There is nothing to do but to wait.
Status Run::hear_out() {
  while (is_asking()) {
    if (ports_.aside->is_busy()) {
      show("asking " + asked_->proposer->name());
      let_it_answer();
    }
    if (auto done = take_answer(); !done) return done;
  }
  return {};
}

Status Run::take_answer() {
  auto& asked = *asked_;
  const auto who = asked.proposer->name();
  const auto first = tunings_.size();
  if (asked.mends) {
    const auto index = *asked.mends;
    asked.mends.reset();
    if (!asked.remedy)
      refuse(who, asked.remedy.error().message());
    else if (*asked.remedy && replace(index, **asked.remedy))
      if (auto done = look_aside(index); !done) return done;
  } else if (!asked.templates) {
    refuse(who, asked.templates.error().message());
    asked.slot = asked.slots;
  } else {
    for (auto& proposed : *asked.templates) add_or_mend(asked.known, proposed, who);
  }
  for (auto index = first; index < tunings_.size() && !ports_.stop(); ++index)
    if (auto done = look_aside(index); !done) return done;
  for (auto& tuning : tunings_)
    if (auto done = tuning.try_seeds(context_); !done) return done;
  ask_next();
  return {};
}

/// One look; what fails is the next question.
Status Run::look_aside(std::size_t index) {
  const auto scope = ledger_.spend_on(Purpose::Screening);
  auto& tuning = tunings_[index];
  show("trying " + tuning.proposed().name);
  if (auto done = tuning.look(context_); !done) return done;
  if (tuning.best() || !tuning.fault()) return {};
  refuse_fault(tuning);
  if (tuning.repairs < options_.repairs) asked_->faulty.push_back(index);
  return {};
}

}  // namespace hone::loop
