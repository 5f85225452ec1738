#pragma once
// A session that replaces itself. Candidates come and go on one session; one that crashes, hangs or breaks something
// takes the process with it and the next candidate gets a new one. Everything a request can end in becomes either its
// answer, a Verdict on the candidate, or an Error of the machinery.

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/device_session.hpp"
#include "core/launches.hpp"
#include "core/template.hpp"
#include "core/verdict.hpp"

namespace hone::judge {

/// Why a chain of checks ended before its end.
using Stop = std::variant<Verdict, Error>;
template <class T>
using Checked = tl::expected<T, Stop>;
inline tl::unexpected<Stop> stop(Stop why) { return tl::unexpected<Stop>(std::move(why)); }

class RenewingSession {
 public:
  explicit RenewingSession(DeviceSessions& sessions) : sessions_(sessions) {}

  /// Starts a session when there is none.
  Checked<const DeviceInfo*> device();
  Checked<Built> build(const Variant& variant, bool check_hash);
  /// What building `variants` at once costs less than one by one; faults show when each is built by itself.
  void prepare(const std::vector<DeviceSession::BuildRequest>& requests);
  Checked<std::monostate> load(const Problem& problem);
  Checked<Ran> run(const Built& built, const Problem& problem, const std::vector<std::string>& wanted);
  Checked<TimesTaken> time(const Built& built, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                           bool restore, const std::vector<std::string>& outputs);
  Checked<Ran> read(const std::vector<std::string>& wanted);
  Checked<Ran> hashes(const std::vector<std::string>& wanted);
  /// Wall time of each later request, also of sessions yet to be started.
  void limit(Milliseconds wall);
  /// The process is not to be trusted any more: the next request starts another.
  void discard() { session_.reset(); }

 private:
  Checked<DeviceSession*> session();
  template <class T, class Outcome>
  Checked<T> answer(Outcome outcome);

  DeviceSessions& sessions_;
  std::unique_ptr<DeviceSession> session_;
  std::optional<Milliseconds> limit_;
};

}  // namespace hone::judge
