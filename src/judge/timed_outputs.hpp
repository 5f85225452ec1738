#pragma once
// No time is compared unless the outputs of that timed run were compared. The worker hashes what each run leaves; a
// hash that belongs to outputs that were read and compared in full stands for them from then on. Where a run left
// something else, the last run of the request is read and compared, and runs that nobody looked at lose their times.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "judge/renewing_session.hpp"

namespace hone::judge {

class TimedOutputs {
 public:
  /// `compare`: why outputs that were read are not those of K(0); nothing when they are.
  using Compare = std::function<std::optional<Verdict>(const Ran& ran)>;
  /// Without outputs nothing is looked at, and every run counts. `right`: hashes that need no look.
  TimedOutputs(std::vector<std::string> outputs, Compare compare, std::set<std::string> right = {})
      : outputs_(std::move(outputs)), compare_(std::move(compare)), compared_(std::move(right)) {}

  /// As RenewingSession::time, with the runs whose outputs were compared.
  Checked<TimesTaken> time(RenewingSession& session, const Built& built, const std::vector<ConcreteLaunch>& launches,
                           std::size_t runs, bool restore);
  const std::vector<std::string>& names() const { return outputs_; }

 private:
  Checked<std::monostate> look(RenewingSession& session, const TimesTaken& taken);

  std::vector<std::string> outputs_;
  Compare compare_;
  std::set<std::string> compared_;  // hashes of outputs that were found right
};

}  // namespace hone::judge
