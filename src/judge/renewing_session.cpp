#include "judge/renewing_session.hpp"

#include "judge/defence.hpp"

namespace hone::judge {
namespace {

Verdict verdict_of(const WorkerLost& lost) {
  switch (lost.cause) {
    case WorkerLost::Cause::TimedOut: return TimedOut{lost.reason};
    case WorkerLost::Cause::Memory: return Crashed{"out of memory: " + lost.reason};
    default: return Crashed{lost.reason};
  }
}
Verdict verdict_of(const NotLaunched& refused) { return LaunchFailed{refused.reason}; }
Verdict verdict_of(const NotBuilt& refused) { return BuildFailed{refused.log}; }

}  // namespace

template <class T, class Outcome>
Checked<T> RenewingSession::answer(Outcome outcome) {
  if (std::holds_alternative<WorkerLost>(outcome)) discard();
  return std::visit(
      [](auto&& held) -> Checked<T> {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, T>) {
          return std::forward<decltype(held)>(held);
        } else {
          return stop(verdict_of(held));
        }
      },
      std::move(outcome));
}

Checked<DeviceSession*> RenewingSession::session() {
  if (session_ == nullptr) {
    auto started = sessions_.start();
    if (!started) return stop(std::move(started).error().context("starting a worker"));
    session_ = std::move(*started);
    if (limit_) session_->limit(*limit_);
  }
  return session_.get();
}

void RenewingSession::limit(Milliseconds wall) {
  limit_ = wall;
  if (session_ != nullptr) session_->limit(wall);
}

Checked<const DeviceInfo*> RenewingSession::device() {
  return session().map([](DeviceSession* session) { return &session->device(); });
}

Checked<Built> RenewingSession::build(const Variant& variant, bool check_hash) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  auto built = answer<Built>((*session)->build(variant.source, variant.options));
  if (built && check_hash && built->source_hash != source_hash(variant.source, variant.options)) {
    discard();
    return stop(
        Verdict(Unsafe{std::string(name_of(Defence::SourceHash)), "the worker built something else than it was sent"}));
  }
  return built;
}

void RenewingSession::prepare(const std::vector<DeviceSession::BuildRequest>& requests) {
  auto session = this->session();
  if (!session) return;
  for (const auto& outcome : (*session)->build_all(requests)) {
    if (std::holds_alternative<WorkerLost>(outcome)) discard();
  }
}

Checked<std::monostate> RenewingSession::load(const Problem& problem) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  return answer<std::monostate>((*session)->load(problem.buffers, problem.images));
}

Checked<Ran> RenewingSession::run(const Built& built, const Problem& problem, const std::vector<std::string>& wanted) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  return answer<Ran>((*session)->run(built.id, problem.launches, wanted));
}

Checked<TimesTaken> RenewingSession::time(const Built& built, const std::vector<ConcreteLaunch>& launches,
                                          std::size_t runs, bool restore, const std::vector<std::string>& outputs) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  return answer<TimesTaken>((*session)->time(built.id, launches, runs, restore, outputs));
}

Checked<Ran> RenewingSession::read(const std::vector<std::string>& wanted) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  return answer<Ran>((*session)->read(wanted));
}

Checked<Ran> RenewingSession::hashes(const std::vector<std::string>& wanted) {
  auto session = this->session();
  if (!session) return stop(std::move(session).error());
  return answer<Ran>((*session)->hashes(wanted));
}

}  // namespace hone::judge
