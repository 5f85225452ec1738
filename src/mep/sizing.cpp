// Sizes of the workloads. A pass must be long enough to measure and short enough to repeat, its data small enough to
// hold; all three are measured on the device, from small sizes upwards so that nothing hangs on the way.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/launch_walk.hpp"
#include "core/launches.hpp"
#include "core/layout.hpp"
#include "mep/contents.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

constexpr int kPassesPerEvaluation = 40;
constexpr std::size_t kTimedPasses = 5;

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

struct Measured {
  Milliseconds pass{0}, noise{0};  // the noise of the timer: how far the fastest passes of a tiny problem lie apart
  Bytes data;
};

class Sizing {
 public:
  Sizing(const Limits& limits, DeviceSession* session, Draft& draft)
      : limits_(limits), session_(session), draft_(draft) {
    for (const auto& condition : draft.mep.contract) {  // n % 16 == 0
      const auto& root = condition.root();
      if (root.kind != Expression::Kind::Compare || root.operands.size() != 2) continue;
      const auto& left = *root.operands[0];
      if (left.kind == Expression::Kind::Binary && left.text == "%")
        multiple_[left.operands[0]->text] = std::get<std::int64_t>(left.operands[1]->value);
    }
  }

  Result<Sizes> choose() {
    Sizes sizes = smallest();
    if (session_ == nullptr || draft_.sizes.empty()) return preferred(sizes);
    if (auto built = build(); !built) return fail(std::move(built).error());
    return grow(sizes);
  }

  Status confirm(const Workload& workload) {
    if (session_ == nullptr) return {};
    if (id_.empty()) {
      if (auto built = build(); !built) return built;
    }
    auto problem = concretise(draft_.mep, workload, {}, session_->device(), 1);
    if (!problem) return fail(std::move(problem).error().context("workload " + workload.name));
    const auto loaded = session_->load(problem->buffers, problem->images);
    if (!std::holds_alternative<std::monostate>(loaded)) return lost("loading the data of " + workload.name);
    const auto outcome = session_->run(id_, problem->launches, problem->outputs);
    const auto* ran = std::get_if<Ran>(&outcome);
    if (ran == nullptr) return lost("running " + workload.name + because_of(outcome));
    if (!ran->broken_guards.empty())
      return fail(
          "E-EXTENT",
          fmt::format("the kernel writes outside of {} at the sizes of {}", ran->broken_guards.front(), workload.name),
          "write a larger extent into mep.toml by hand");
    outputs_ = ran->outputs;
    return {};
  }

  /// Contents on which K(0) neither blows up nor computes one and the same number everywhere; said when there are none.
  Status settle_contents(const Workload& tune) {
    if (session_ == nullptr) return {};
    const auto first = draft_.mep.buffers;
    auto doubt = doubtful(draft_.mep, outputs_);
    if (!doubt) return {};
    const auto why = *doubt;
    for (const auto& fill : calmer_fills()) {
      set_float_fills(draft_.mep, fill);
      if (auto done = confirm(tune); !done) return done;
      doubt = doubtful(draft_.mep, outputs_);
      if (doubt) continue;
      draft_.because(fmt::format("contents are {}: with {} {}", fill, first_fill(first), why));
      return {};
    }
    draft_.mep.buffers = first;
    draft_.because(why + "; no other contents were better, so that the checks may not exercise the kernel");
    return confirm(tune);
  }

  std::int64_t multiple_of(const std::string& name) const {
    const auto found = multiple_.find(name);
    return found == multiple_.end() ? 1 : found->second;
  }

 private:
  Status lost(const std::string& doing) {
    return fail("E-COMPLETE", doing + " failed on " + session_->device().name, "hone devices");
  }
  static std::string because_of(const RunOutcome& outcome) {
    if (const auto* refused = std::get_if<NotLaunched>(&outcome)) return " (" + refused->reason + ")";
    if (const auto* gone = std::get_if<WorkerLost>(&outcome)) return " (" + gone->reason + ")";
    return {};
  }

  Status build() {
    const auto outcome = session_->build(draft_.mep.source, draft_.mep.options);
    if (const auto* built = std::get_if<Built>(&outcome)) {
      id_ = built->id;
      return {};
    }
    const auto* refused = std::get_if<NotBuilt>(&outcome);
    return fail(
        "E-BUILD",
        "the kernel does not build alone: " + (refused != nullptr ? refused->log : "the device's compiler died"),
        "a missing macro is given with -D NAME=VALUE");
  }

  std::int64_t fitted(const std::string& name, double wish) const {
    if (const auto given = draft_.given.find(name); given != draft_.given.end()) return given->second;
    const auto multiple = multiple_of(name);
    return std::max<std::int64_t>(
        multiple, static_cast<std::int64_t>(std::llround(wish / static_cast<double>(multiple))) * multiple);
  }

  /// Powers of two times the multiple; one size alone may be long, several are edges of matrices.
  Sizes smallest() const {
    Sizes out;
    const double wish = draft_.sizes.size() == 1 && single_dimension() ? 4096 : 64;
    for (const auto& name : draft_.sizes) out[name] = fitted(name, wish);
    return out;
  }
  bool single_dimension() const {
    bool out = true;
    each_launch(std::as_const(draft_.steps), [&](const Launch& launch, const auto& loops) {
      const auto& view = draft_.views.at(launch.kernel);
      const bool squares = std::ranges::any_of(
          draft_.needed, [](const auto& n) { return n.second.print().find('*') != std::string::npos; });
      out = out && launch.global.size() == 1 && loops.empty() && !squares && !view.accesses.empty();
    });
    return out;
  }

  Sizes host_sizes() const {
    Sizes out;
    for (const auto& name : draft_.sizes) {
      const auto start = draft_.start.find(name);
      if (start == draft_.start.end() || !start->second || *start->second < 2) return {};
      out[name] = fitted(name, static_cast<double>(*start->second));
    }
    return out;
  }

  Result<Sizes> preferred(const Sizes& small) {
    auto host = host_sizes();
    if (!host.empty() && keeps_contract(draft_, host) && data_of(host) <= limits_.s_max) {
      draft_.because("sizes are those the host starts from; not measured, there was no device");
      return host;
    }
    Sizes out = small;
    for (auto& [name, value] : out) value = fitted(name, static_cast<double>(value) * 8);
    draft_.because("sizes are chosen without measuring, there was no device");
    return data_of(out) <= limits_.s_max ? out : small;
  }

  Bytes data_of(const Sizes& sizes) const {
    std::uint64_t total = 0;
    for (const auto& buffer : draft_.mep.buffers) {
      const auto count = buffer.extent.evaluate_integer(environment(draft_, sizes));
      const auto layout = layout_of(buffer.type, draft_.mep.structs);
      if (count && *count > 0 && layout) total += static_cast<std::uint64_t>(*count) * layout->bytes;
    }
    for (const auto& image : draft_.mep.images) {
      std::uint64_t pixels = 16;  // bytes of the widest
      for (const auto* size : {&image.width, &image.height, &image.depth}) {
        const auto count = size->evaluate_integer(environment(draft_, sizes));
        pixels *= count && *count > 0 ? static_cast<std::uint64_t>(*count) : 1;
      }
      total += pixels;
    }
    return {total};
  }

  Result<Measured> measure(const Sizes& sizes) {
    auto problem = concretise(draft_.mep, workload_of(draft_, "tune", Role::Tune, sizes), {}, session_->device(), 1);
    if (!problem) return fail(std::move(problem).error());
    const auto loaded = session_->load(problem->buffers, problem->images);
    if (!std::holds_alternative<std::monostate>(loaded))
      return fail("E-COMPLETE", "the data of the workload could not be loaded");
    const auto outcome = session_->time(id_, problem->launches, kTimedPasses, problem->changes_inputs, {});
    const auto* times = std::get_if<TimesTaken>(&outcome);
    if (times == nullptr || times->span.size() < 2) {
      const auto* refused = std::get_if<NotLaunched>(&outcome);
      const auto* gone = std::get_if<WorkerLost>(&outcome);
      return fail("E-COMPLETE", "the kernel could not be timed: " + (refused != nullptr ? refused->reason
                                                                     : gone != nullptr  ? gone->reason
                                                                                        : std::string("no samples")));
    }
    auto spans = times->span;
    std::ranges::sort(spans);
    Measured out;
    out.pass = spans[spans.size() / 2];
    out.noise = (spans[1] - spans[0]);
    out.data = data_of(sizes);
    return out;
  }

  Result<Sizes> grow(Sizes sizes) {
    const auto device_bytes = session_->device().facts.find("global_bytes");
    Bytes most = limits_.s_max;
    if (device_bytes != session_->device().facts.end()) {
      if (const auto* bytes = std::get_if<std::int64_t>(&device_bytes->second))
        most.count = std::min(most.count, static_cast<std::uint64_t>(*bytes) / 4);
    }
    const auto pass_limit = limits_.t_max / kPassesPerEvaluation;
    auto measured = measure(sizes);
    if (!measured) return fail(std::move(measured).error());
    // A busy machine is not a noisy timer: its share is bounded.
    const auto least = std::clamp(limits_.noise_factor * measured->noise, limits_.t_min, 10 * limits_.t_min);
    for (int step = 0; step < 24 && measured->pass < least; ++step) {
      Sizes next = sizes;
      for (auto& [name, value] : next) value = fitted(name, static_cast<double>(value) * 2);
      if (next == sizes) {
        draft_.because(fmt::format("{:.2f} ms a pass at the sizes that were set", measured->pass.count()));
        break;
      }
      if (data_of(next) > most) {
        draft_.because(fmt::format("{:.2f} ms a pass: the data limit of {} MiB was reached first",
                                   measured->pass.count(), most.count >> 20U));
        break;
      }
      auto again = measure(next);
      if (!again) return fail(std::move(again).error());
      sizes = next;
      measured = std::move(again);
    }
    auto host = host_sizes();
    if (!host.empty() && keeps_contract(draft_, host) && data_of(host) <= most &&
        worthwhile(host, sizes, *measured, pass_limit)) {
      auto at_host = measure(host);
      if (at_host && at_host->pass >= least && at_host->pass <= pass_limit) {
        draft_.because(fmt::format("sizes are those the host starts from: {:.2f} ms a pass, {} KiB of data",
                                   at_host->pass.count(), at_host->data.count >> 10U));
        return host;
      }
    }
    draft_.because(fmt::format("sizes are the first with a pass of at least {} ms: {:.2f} ms, {} KiB of data",
                               least.count(), measured->pass.count(), measured->data.count >> 10U));
    return sizes;
  }

  /// Time grows at most with the cube of the sizes: a guess that keeps a host's production size from hanging the
  /// completion.
  static bool worthwhile(const Sizes& host, const Sizes& known, const Measured& measured, Milliseconds most) {
    double ratio = 1;
    for (const auto& [name, value] : host) ratio *= static_cast<double>(value) / static_cast<double>(known.at(name));
    return measured.pass.count() * ratio <= most.count();
  }

  const Limits& limits_;
  DeviceSession* session_;
  Draft& draft_;
  std::map<std::string, std::int64_t> multiple_;
  std::string id_;
  OutputBytes outputs_;  // of the last run that was confirmed
};

/// Divides by nothing a template would tile with.
std::int64_t awkward(std::int64_t near) {
  for (auto n = std::max<std::int64_t>(near, 7);; --n) {
    if (n <= 7) return 7;
    if (n % 2 != 0 && n % 3 != 0 && n % 5 != 0 && n % 7 != 0) return n;
  }
}

/// Each size another share of the tuned one, so that no two stay equal.
Sizes varied(const Sizes& tune, const Sizing& sizing, const Draft& draft, bool odd, int turn) {
  Sizes out;
  for (const auto& [name, value] : tune) {
    static constexpr double shares[] = {0.75, 0.875, 0.625, 0.9375};
    static constexpr double odd_shares[] = {0.61, 0.73, 0.53, 0.67};
    const auto multiple = sizing.multiple_of(name);
    const double share = (odd ? odd_shares : shares)[turn++ % 4];
    const auto wish = static_cast<std::int64_t>(static_cast<double>(value) * share / static_cast<double>(multiple));
    const auto count = odd ? awkward(wish) : std::max<std::int64_t>(wish, 1);
    out[name] = draft.given.contains(name) && !odd ? value : count * multiple;
  }
  return out;
}

/// Other shares, then one size at a time; the tuned sizes themselves only when the contract allows nothing else.
Sizes other_sizes(const Sizes& tune, const Sizing& sizing, const Draft& draft, bool odd) {
  for (int turn = 0; turn < 4; ++turn) {
    const Sizes all = varied(tune, sizing, draft, odd, turn);
    if (all != tune && keeps_contract(draft, all)) return all;
    for (const auto& [name, value] : all) {
      Sizes one = tune;
      one[name] = value;
      if (one != tune && keeps_contract(draft, one)) return one;
    }
  }
  // Sizes that must stay equal to one another.
  Sizes together = tune;
  const auto least = std::ranges::min_element(tune, {}, [](const auto& s) { return s.second; });
  if (least == tune.end()) return tune;
  for (auto& [name, value] : together) value = varied(tune, sizing, draft, odd, 0).at(least->first);
  return keeps_contract(draft, together) ? together : tune;
}

}  // namespace

Status add_workloads(const Limits& limits, DeviceSessions* devices, Draft& draft) {
  std::unique_ptr<DeviceSession> session;
  if (devices != nullptr) {
    auto started = devices->start();
    if (!started) return fail(std::move(started).error());
    session = std::move(*started);
    session->limit(limits.t_max);
  }
  Sizing sizing(limits, session.get(), draft);
  auto tune = sizing.choose();
  if (!tune) return fail(std::move(tune).error());
  draft.mep.workloads.push_back(workload_of(draft, "tune", Role::Tune, *tune));
  for (const bool odd : {false, true}) {
    const Sizes sizes = other_sizes(*tune, sizing, draft, odd);
    if (sizes == *tune && !draft.sizes.empty())
      draft.because(
          fmt::format("{}: the contract allows no other size; it has the sizes of tune and differs in its "
                      "contents only",
                      odd ? "awkward" : "held-out"));
    draft.mep.workloads.push_back(
        workload_of(draft, odd ? "awkward" : "held-out", odd ? Role::Awkward : Role::HeldOut, sizes));
  }
  if (draft.sizes.empty())
    draft.because("no scalar of the kernels is a size: all workloads have the same sizes and differ in contents only");
  if (auto done = sizing.confirm(draft.mep.workloads.front()); !done) return done;
  if (auto done = sizing.settle_contents(draft.mep.workloads.front()); !done) return done;
  for (const auto& workload : draft.mep.workloads) {
    if (workload.role == Role::Tune) continue;
    if (auto done = sizing.confirm(workload); !done) return done;
  }
  return {};
}

}  // namespace hone::mep
