#include "core/accounted.hpp"

namespace hone {
namespace {

class AccountedSession final : public DeviceSession {
 public:
  AccountedSession(std::unique_ptr<DeviceSession> inner, TimeLedger& ledger, std::optional<Activity> as)
      : inner_(std::move(inner)), ledger_(ledger), as_(as) {}

  const DeviceInfo& device() const override { return inner_->device(); }
  void limit(Milliseconds wall) override { inner_->limit(wall); }
  BuildOutcome build(const std::string& source, const std::vector<std::string>& options) override {
    const auto scope = counts_as(Activity::Building);
    return inner_->build(source, options);
  }
  std::vector<BuildOutcome> build_all(const std::vector<BuildRequest>& requests) override {
    const auto scope = counts_as(Activity::Building);
    return inner_->build_all(requests);
  }
  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images) override {
    const auto scope = counts_as(Activity::Data);
    return inner_->load(buffers, images);
  }
  RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                 const std::vector<std::string>& wanted) override {
    const auto scope = counts_as(Activity::Checking);
    return inner_->run(build, launches, wanted);
  }
  TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                   bool restore, const std::vector<std::string>& outputs) override {
    const auto scope = counts_as(Activity::Timing);
    return inner_->time(build, launches, runs, restore, outputs);
  }
  RunOutcome read(const std::vector<std::string>& wanted) override {
    const auto scope = counts_as(Activity::Checking);
    return inner_->read(wanted);
  }
  RunOutcome hashes(const std::vector<std::string>& wanted) override {
    const auto scope = counts_as(Activity::Checking);
    return inner_->hashes(wanted);
  }

 private:
  TimeLedger::Scope counts_as(Activity activity) { return ledger_.spend_on(as_.value_or(activity)); }

  std::unique_ptr<DeviceSession> inner_;
  TimeLedger& ledger_;
  std::optional<Activity> as_;
};

}  // namespace

Result<std::unique_ptr<DeviceSession>> AccountedSessions::start() {
  const auto scope = ledger_.spend_on(as_.value_or(Activity::Starting));
  auto started = inner_.start();
  if (!started) return started;
  return std::make_unique<AccountedSession>(std::move(*started), ledger_, as_);
}

Result<std::unique_ptr<Turn>> AccountedTurns::take() {
  const auto scope = ledger_.spend_on(Activity::Waiting);
  return inner_.take();
}

}  // namespace hone
