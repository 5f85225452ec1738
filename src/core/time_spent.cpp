#include "core/time_spent.hpp"

namespace hone {

std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::Preparing: return "preparing";
    case Purpose::Proposing: return "proposing";
    case Purpose::Screening: return "screening";
    case Purpose::Confirming: return "confirming";
    case Purpose::Finishing: return "finishing";
  }
  return "preparing";
}

std::string_view name_of(Activity activity) {
  switch (activity) {
    case Activity::Own: return "own work";
    case Activity::Asking: return "waiting for an answer";
    case Activity::Starting: return "starting workers";
    case Activity::Building: return "building";
    case Activity::Data: return "generating data";
    case Activity::Checking: return "running for outputs";
    case Activity::Timing: return "timing";
    case Activity::Races: return "oclgrind";
    case Activity::Waiting: return "waiting for the device";
  }
  return "own work";
}

Seconds& TimeSpent::at(Purpose purpose, Activity activity) {
  return seconds_[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(activity)];
}

Seconds TimeSpent::on(Purpose purpose, Activity activity) const {
  return seconds_[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(activity)];
}

Seconds TimeSpent::on(Purpose purpose) const {
  Seconds sum{0};
  for (const auto activity : all_activities) sum += on(purpose, activity);
  return sum;
}

Seconds TimeSpent::on(Activity activity) const {
  Seconds sum{0};
  for (const auto purpose : all_purposes) sum += on(purpose, activity);
  return sum;
}

Seconds TimeSpent::total() const {
  Seconds sum{0};
  for (const auto purpose : all_purposes) sum += on(purpose);
  return sum;
}

void TimeLedger::turn_to(Purpose purpose, Activity activity) {
  const auto now = now_();
  spent_.add(purpose_, activity_, now - since_);
  since_ = now;
  purpose_ = purpose;
  activity_ = activity;
}

TimeSpent TimeLedger::so_far() {
  turn_to(purpose_, activity_);
  return spent_;
}

}  // namespace hone
