#pragma once
// Where the time of a run went, all of it: each moment has one purpose (what it was spent for) and one activity (what
// was going on). Whoever starts something opens a scope; the innermost one counts; what nobody claims is Hone's own.

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>

#include "base/units.hpp"

namespace hone {

enum class Purpose { Preparing, Proposing, Screening, Confirming, Finishing };
enum class Activity { Own, Asking, Starting, Building, Data, Checking, Timing, Races, Waiting };
constexpr std::array all_purposes = {Purpose::Preparing, Purpose::Proposing, Purpose::Screening, Purpose::Confirming,
                                     Purpose::Finishing};
constexpr std::array all_activities = {Activity::Own,      Activity::Asking, Activity::Starting,
                                       Activity::Building, Activity::Data,   Activity::Checking,
                                       Activity::Timing,   Activity::Races,  Activity::Waiting};
std::string_view name_of(Purpose purpose);    // "screening"
std::string_view name_of(Activity activity);  // "building"

class TimeSpent {
 public:
  void add(Purpose purpose, Activity activity, Seconds took) { at(purpose, activity) += took; }
  Seconds on(Purpose purpose, Activity activity) const;
  Seconds on(Purpose purpose) const;
  Seconds on(Activity activity) const;
  Seconds total() const;

 private:
  Seconds& at(Purpose purpose, Activity activity);
  std::array<std::array<Seconds, all_activities.size()>, all_purposes.size()> seconds_{};
};

/// One for a command. The clock is given, so that tests have their own. It counts what the thread that made it waits
/// for: what goes on beside it in other threads takes no time of anybody's.
class TimeLedger {
 public:
  explicit TimeLedger(std::function<Seconds()> now) : now_(std::move(now)), since_(now_()) {}
  TimeLedger(const TimeLedger&) = delete;
  TimeLedger& operator=(const TimeLedger&) = delete;

  /// What went before comes back when it ends.
  class [[nodiscard]] Scope {
   public:
    Scope(TimeLedger& ledger, std::optional<Purpose> purpose, std::optional<Activity> activity)
        : ledger_(ledger.is_here() ? &ledger : nullptr) {
      if (ledger_ == nullptr) return;
      purpose_ = ledger.purpose_;
      activity_ = ledger.activity_;
      ledger.turn_to(purpose.value_or(purpose_), activity.value_or(activity_));
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      if (ledger_ != nullptr) ledger_->turn_to(purpose_, activity_);
    }

   private:
    TimeLedger* ledger_;
    Purpose purpose_ = Purpose::Preparing;
    Activity activity_ = Activity::Own;
  };
  Scope spend_on(Purpose purpose) { return {*this, purpose, std::nullopt}; }
  Scope spend_on(Purpose purpose, Activity activity) { return {*this, purpose, activity}; }
  Scope spend_on(Activity activity) { return {*this, std::nullopt, activity}; }

  TimeSpent so_far();

 private:
  void turn_to(Purpose purpose, Activity activity);
  bool is_here() const { return std::this_thread::get_id() == thread_; }

  std::function<Seconds()> now_;
  Seconds since_;
  std::thread::id thread_ = std::this_thread::get_id();
  Purpose purpose_ = Purpose::Preparing;
  Activity activity_ = Activity::Own;
  TimeSpent spent_;
};

}  // namespace hone
