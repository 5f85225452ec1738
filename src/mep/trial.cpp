#include "mep/trial.hpp"

#include <algorithm>

#include "core/layout.hpp"
#include "core/sized_options.hpp"

namespace hone::mep {
namespace {

constexpr std::size_t kTimedPasses = 5;
constexpr std::chrono::seconds kLongEnough{35};
/// Sparse room for all buffers together, far below what a worker may address.
constexpr std::size_t kRoom = std::size_t{1} << 30U;
constexpr std::size_t kRoomOfOne = std::size_t{64} << 20U;

/// The host's or the person's value where it is that; else chosen.
Provenance provenance_of(const Draft& draft, const std::string& scalar, const Value& value) {
  const Provenance chosen{Provenance::Kind::Guessed, {}};
  const auto from = draft.from.find(scalar);
  if (from == draft.from.end()) return chosen;
  const auto start = draft.start.find(scalar);
  const auto* whole = std::get_if<std::int64_t>(&value);
  const bool other = whole != nullptr && (start == draft.start.end() || start->second != *whole);
  return other ? chosen : from->second;
}

}  // namespace

Workload workload_of(const Draft& draft, const std::string& name, Role role, const Sizes& sizes) {
  Workload out;
  out.name = name;
  out.role = role;
  for (const auto& [scalar, value] : draft.fixed) out.scalars[scalar] = value;
  for (const auto& [scalar, value] : sizes) out.scalars[scalar] = value;
  for (const auto& [scalar, value] : out.scalars) out.from[scalar] = provenance_of(draft, scalar, value);
  out.launches = draft.steps;
  return out;
}

Status Trial::prepare() {
  if (session_) return {};
  auto started = devices_.start();
  if (!started) return fail(std::move(started).error());
  session_ = std::move(*started);
  session_->limit(limits_.t_max);
  device_ = session_->device();
  if (draft_.sized_defines) return {};  // what is built depends on the workload
  return build(draft_.mep.options);
}

Status Trial::build(const std::vector<std::string>& options) {
  const auto outcome = session_->build(draft_.mep.source, options);
  if (const auto* built = std::get_if<Built>(&outcome)) {
    id_ = built->id;
    return {};
  }
  const auto* refused = std::get_if<NotBuilt>(&outcome);
  session_.reset();
  return fail("E-BUILD",
              "the kernel does not build alone: " + (refused != nullptr ? refused->log : "the device's compiler died"),
              "a missing macro is given with -D NAME=VALUE");
}

bool Trial::late() const { return std::chrono::steady_clock::now() - start_ > kLongEnough; }

Result<Problem> Trial::load(const Workload& workload, bool watched, Milliseconds limit, Attempt& attempt) {
  if (auto ready = prepare(); !ready) return fail(std::move(ready).error());
  if (draft_.sized_defines)
    if (auto built = build(options_at(draft_.mep.options, workload.scalars)); !built)
      return fail(std::move(built).error());
  auto problem = concretise(draft_.mep, workload, {}, session_->device(), 1);
  if (!problem) {
    attempt.reason = problem.error().message();
    return problem;
  }
  if (watched)
    for (auto& buffer : problem->buffers)
      buffer.watched = std::min(kRoomOfOne, kRoom / (2 * std::max<std::size_t>(problem->buffers.size(), 1)));
  session_->limit(std::min(limit, limits_.t_max));
  const auto loaded = session_->load(problem->buffers, problem->images);
  if (const auto* refused = std::get_if<NotLaunched>(&loaded)) attempt.reason = "its data: " + refused->reason;
  if (const auto* gone = std::get_if<WorkerLost>(&loaded)) {
    attempt.reason = "its data: " + gone->reason;
    lose();
  }
  if (!attempt.reason.empty()) return fail("E-COMPLETE", attempt.reason);
  return problem;
}

Attempt Trial::run(const Workload& workload, bool watched, Milliseconds limit) {
  Attempt out;
  const auto problem = load(workload, watched, limit, out);
  if (!problem) {
    if (out.reason.empty()) out.reason = problem.error().message();
    return out;
  }
  auto outcome = session_->run(id_, problem->launches, problem->outputs);
  if (auto* ran = std::get_if<Ran>(&outcome)) {
    out.ran = std::move(*ran);
  } else if (const auto* refused = std::get_if<NotLaunched>(&outcome)) {
    out.reason = refused->reason;
  } else {
    const auto& gone = std::get<WorkerLost>(outcome);
    out.reason = gone.reason;
    out.too_slow = gone.cause == WorkerLost::Cause::TimedOut;
    lose();
  }
  return out;
}

Attempt Trial::again(const Workload& workload) { return run(workload, false, limits_.t_max); }

Result<Measured> Trial::time(const Workload& workload, Milliseconds limit) {
  Attempt unused;
  const auto problem = load(workload, false, limit, unused);
  if (!problem) return fail(problem.error());
  const auto outcome = session_->time(id_, problem->launches, kTimedPasses, problem->changes_inputs, {});
  const auto* times = std::get_if<TimesTaken>(&outcome);
  if (times == nullptr || times->span.size() < 2) {
    const auto* refused = std::get_if<NotLaunched>(&outcome);
    const auto* gone = std::get_if<WorkerLost>(&outcome);
    if (gone != nullptr) lose();
    return fail("E-COMPLETE", "the kernel could not be timed: " + (refused != nullptr ? refused->reason
                                                                   : gone != nullptr  ? gone->reason
                                                                                      : std::string("no samples")));
  }
  auto spans = times->span;
  std::ranges::sort(spans);
  Measured out;
  // Whoever else uses the machine only adds to a pass. A busy one must not make a tiny problem look like a long one.
  out.pass = spans.front();
  out.noise = (spans[1] - spans[0]);
  return out;
}

Bytes data_of(const Draft& draft, const Sizes& sizes) {
  double total = 0;  // products of sizes that are still tried may be absurd
  for (const auto& buffer : draft.mep.buffers) {
    const auto count = buffer.extent.evaluate_integer(environment(draft, sizes));
    const auto layout = layout_of(buffer.type, draft.mep.structs);
    if (count && *count > 0 && layout) total += static_cast<double>(*count) * static_cast<double>(layout->bytes);
  }
  for (const auto& image : draft.mep.images) {
    double pixels = 16;  // bytes of the widest
    for (const auto* size : {&image.width, &image.height, &image.depth}) {
      const auto count = size->evaluate_integer(environment(draft, sizes));
      pixels *= count && *count > 0 ? static_cast<double>(*count) : 1;
    }
    total += pixels;
  }
  return {static_cast<std::uint64_t>(std::min(total, 1e18))};
}

}  // namespace hone::mep
