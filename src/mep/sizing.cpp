// Sizes of the workloads. A pass must be long enough to measure and short enough to repeat, its data small enough to
// hold; all three are measured on the device, from small sizes upwards so that nothing hangs on the way.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/launch_walk.hpp"
#include "core/layout.hpp"
#include "mep/contents.hpp"
#include "mep/trial.hpp"

namespace hone::mep {
namespace {

constexpr int kPassesPerEvaluation = 40;
constexpr Milliseconds kMeasuredRun{15000};
/// The host's own sizes are taken when a pass is no longer than this: completion and every check run many.
constexpr Milliseconds kLongestHostPass{250};
/// A first run is for seeing where the kernel goes: no more data and work-items than that takes.
constexpr Bytes kFirstData = mebibytes(64);
constexpr double kFirstItems = 1 << 20;

class Sizing {
 public:
  Sizing(const Limits& limits, Trial* trial, Draft& draft) : limits_(limits), trial_(trial), draft_(draft) {
    for (const auto& condition : draft.mep.contract) {  // n % 16 == 0
      const auto& root = condition.root();
      if (root.kind != Expression::Kind::Compare || root.operators != std::vector<std::string>{"=="}) continue;
      const auto& left = *root.operands[0];
      if (left.kind == Expression::Kind::Binary && left.text == "%")
        multiple_[left.operands[0]->text] = std::get<std::int64_t>(left.operands[1]->value);
    }
  }

  Result<Sizes> choose() {
    Sizes sizes = first_sizes();
    if (trial_ == nullptr) return preferred(sizes);
    if (auto fine = mend(*trial_, draft_, sizes); !fine) {
      // Too slow or too large already: a quarter of it, where the contract lets that be.
      Sizes less = sizes;
      for (auto& [name, value] : less) value = fitted(name, static_cast<double>(value) / 4);
      if (less == sizes || !keeps_contract(draft_, less)) return fail(std::move(fine).error());
      if (auto again = mend(*trial_, draft_, less); !again) return fail(std::move(fine).error());
      sizes = less;
    }
    if (draft_.sizes.empty()) return sizes;
    return grow(sizes);
  }

  std::int64_t multiple_of(const std::string& name) const {
    const auto found = multiple_.find(name);
    return found == multiple_.end() ? 1 : found->second;
  }

 private:
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
    return bounded(std::move(out));
  }

  /// A size may be the edge of a cube, or of more: halved until what depends on it is small.
  Sizes bounded(Sizes sizes) const {
    while (data_of(sizes) > kFirstData || most_items(sizes) > kFirstItems || !own_arrays_hold(draft_, sizes)) {
      Sizes less = sizes;
      for (auto& [name, value] : less) value = fitted(name, std::max(static_cast<double>(value) / 2, 1.0));
      if (less == sizes) break;
      sizes = std::move(less);
    }
    return sizes;
  }
  double most_items(const Sizes& sizes) const {
    double out = 0;
    const auto known = environment(draft_, sizes);
    each_launch(std::as_const(draft_.steps), [&](const Launch& launch, const auto&) {
      double items = 1;
      for (const auto& size : launch.global) {
        const auto count = size.evaluate_integer(known);
        if (count && *count > 0) items *= static_cast<double>(*count);
      }
      out = std::max(out, items);
    });
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

  /// The smallest sizes, or where the host's own rules forbid these, the host's own, made smaller while they allow it.
  Sizes first_sizes() const {
    const Sizes small = smallest();
    if (keeps_contract(draft_, small)) return small;
    Sizes out = host_sizes();
    if (out.empty() || !keeps_contract(draft_, out)) return small;
    for (const auto& [name, unused] : Sizes(out)) {
      for (int i = 0; i < 16; ++i) {
        Sizes less = out;
        less[name] = fitted(name, static_cast<double>(out[name]) / 2);
        if (less[name] < 16 || less == out || !keeps_contract(draft_, less)) break;
        out = less;
      }
    }
    return out;
  }

  /// Twice as much of everything; where the contract forbids that, of each size for which it does not.
  Sizes larger(const Sizes& sizes) const {
    Sizes all = sizes;
    for (auto& [name, value] : all) value = fitted(name, static_cast<double>(value) * 2);
    if (keeps_contract(draft_, all)) return all;
    Sizes out = sizes;
    for (const auto& [name, value] : all) {
      Sizes one = out;
      one[name] = value;
      if (keeps_contract(draft_, one)) out = one;
    }
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
    return bounded(std::move(out));
  }

  Result<Measured> measure(const Sizes& sizes) {
    auto out = trial_->time(workload_of(draft_, "tune", Role::Tune, sizes), kMeasuredRun);
    if (out) out->data = hone::mep::data_of(draft_, sizes);
    return out;
  }
  Bytes data_of(const Sizes& sizes) const { return hone::mep::data_of(draft_, sizes); }

  Result<Sizes> grow(Sizes sizes) {
    const auto device_bytes = trial_->device().facts.find("global_bytes");
    Bytes most = limits_.s_max;
    if (device_bytes != trial_->device().facts.end()) {
      if (const auto* bytes = std::get_if<std::int64_t>(&device_bytes->second))
        most.count = std::min(most.count, static_cast<std::uint64_t>(*bytes) / 4);
    }
    auto pass_limit = std::min(limits_.t_max / kPassesPerEvaluation, kLongestHostPass);
    if (limits_.pass_max.count() > 0) pass_limit = std::min(pass_limit, limits_.pass_max);
    auto measured = measure(sizes);
    if (!measured) return fail(std::move(measured).error());
    // A busy machine is not a noisy timer: its share is bounded.
    const auto least = std::clamp(limits_.noise_factor * measured->noise, limits_.t_min, 10 * limits_.t_min);
    double growth = 1;
    for (int step = 0; step < 24 && measured->pass < least; ++step) {
      Sizes next = larger(sizes);
      if (next == sizes) {
        draft_.because(fmt::format(
            "{:.2f} ms a pass: {}", measured->pass.count(),
            draft_.given.empty() ? "the contract allows no larger sizes" : "the sizes that were set allow no more"));
        break;
      }
      if (trial_->late()) {
        draft_.because(fmt::format("{:.2f} ms a pass: larger sizes took too long to try", measured->pass.count()));
        break;
      }
      if (data_of(next) > most) {
        draft_.because(fmt::format("{:.2f} ms a pass: the data limit of {} MiB was reached first",
                                   measured->pass.count(), most.count >> 20U));
        break;
      }
      auto again = measure(next);
      if (!again) {
        draft_.because(
            fmt::format("{:.2f} ms a pass; larger sizes failed: {}", measured->pass.count(), again.error().message()));
        break;
      }
      growth = std::clamp(std::log(again->pass / measured->pass) / std::log(work(next) / work(sizes)), 1.0, 3.0);
      sizes = next;
      measured = std::move(again);
    }
    if (const auto own = near_host({sizes, *measured, growth}, most, pass_limit)) return *own;
    draft_.because(fmt::format("sizes are the first with a pass of at least {} ms: {:.2f} ms, {} KiB of data",
                               least.count(), measured->pass.count(), measured->data.count >> 10U));
    return sizes;
  }

  /// What was measured last, and how the time grew with the sizes until then.
  struct Known {
    Sizes sizes;
    Measured measured;
    double growth = 1;
  };

  /// The host's own sizes, or where a pass of these would be too long, these halved until it is not: what is in the
  /// cache there should be in it here. Nothing when the sizes that are known are as near.
  std::optional<Sizes> near_host(const Known& known, Bytes most, Milliseconds longest) {
    const Sizes host = host_sizes();
    Sizes wish = host;
    for (int halved = 0; halved < 8 && !wish.empty() && !trial_->late(); ++halved) {
      const bool may = keeps_contract(draft_, wish) && data_of(wish) <= most;
      if (halved > 0 && work(wish) <= work(known.sizes)) break;
      if (may && expected(wish, known) <= longest) {
        const auto at = measure(wish);
        if (at && at->pass <= longest) {
          if (at->pass < limits_.t_min) break;
          const auto said =
              halved == 0 ? std::string("sizes are those the host starts from")
                          : fmt::format("sizes are the host's own, halved {} time{}, since a pass may take {:.0f} ms",
                                        halved, halved == 1 ? "" : "s", longest.count());
          draft_.because(
              fmt::format("{}: {:.2f} ms a pass, {} KiB of data", said, at->pass.count(), at->data.count >> 10U));
          return wish;
        }
      }
      for (auto& [name, value] : wish) value = fitted(name, static_cast<double>(value) / 2);
    }
    if (!host.empty() && expected(host, known) > longest)
      draft_.because(
          fmt::format("the host's own sizes would take more than the {:.0f} ms a pass may take", longest.count()));
    return std::nullopt;
  }

  static double work(const Sizes& sizes) {
    double out = 1;
    for (const auto& [name, value] : sizes) out *= static_cast<double>(value);
    return out;
  }
  /// A guess, as the time grew so far, that keeps a host's production size from hanging the completion.
  static Milliseconds expected(const Sizes& sizes, const Known& known) {
    const double ratio = work(sizes) / work(known.sizes);
    return known.measured.pass * (ratio > 1 ? std::pow(ratio, known.growth) : ratio);
  }

  const Limits& limits_;
  Trial* trial_;
  Draft& draft_;
  std::map<std::string, std::int64_t> multiple_;
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

/// Runs another workload; one that K(0) does not survive gets the sizes of tune instead, and that is said.
Status confirm(Trial& trial, Draft& draft, Workload& workload, const Workload& tune) {
  const auto ran = [&] { return trial.run(workload, false, 2 * kMeasuredRun); };
  auto attempt = ran();
  if (attempt.clean()) return {};
  const auto why = attempt.ran ? "it writes outside of " + attempt.ran->broken_guards.front() : attempt.reason;
  workload.scalars = tune.scalars;
  workload.from = tune.from;
  draft.because(fmt::format("{}: at sizes of its own K(0) fails ({}); it has those of tune", workload.name, why));
  attempt = ran();
  if (attempt.clean()) return {};
  return fail("E-COMPLETE", fmt::format("K(0) does not run twice alike on {}: {}", workload.name,
                                        attempt.ran ? "it writes outside of a buffer" : attempt.reason));
}

/// K(0) that answers differently each time: outputs in another order are compared as sets, others judged by the spread.
void look_at_order(Trial& trial, Draft& draft, const Workload& tune) {
  const bool atomic = std::ranges::any_of(draft.views, [](const auto& v) { return v.second.has_atomics; });
  if (!atomic) return;
  const auto first = trial.again(tune), second = trial.again(tune);
  if (!first.ran || !second.ran) return;
  for (const auto& [name, bytes] : first.ran->outputs) {
    auto& known = draft.mep.check.unordered;
    const auto& other = second.ran->outputs.at(name);
    if (bytes == other || std::ranges::find(known, name) != known.end()) continue;
    const auto buffer = std::ranges::find(draft.mep.buffers, name, &BufferSpec::name);
    const auto layout = buffer == draft.mep.buffers.end() ? Result<Layout>(fail("E-TYPE", name))
                                                          : layout_of(buffer->type, draft.mep.structs);
    if (layout && elements_in_order(bytes, layout->bytes) == elements_in_order(other, layout->bytes)) {
      known.push_back(name);
      draft.because(name + " holds the same elements in another order each time K(0) runs: compared as a set");
    } else {
      draft.because(name +
                    " differs from run to run of K(0), by atomics in another order: its own spread is tolerated");
    }
  }
}

}  // namespace

Status add_workloads(const Limits& limits, DeviceSessions* devices, Draft& draft) {
  std::optional<Trial> trial;
  if (devices != nullptr) trial.emplace(limits, *devices, draft);
  Sizing sizing(limits, trial ? &*trial : nullptr, draft);
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
  if (!trial) return {};
  if (auto done = settle_contents(*trial, draft, draft.mep.workloads.front()); !done) return done;
  look_at_order(*trial, draft, draft.mep.workloads.front());
  for (auto& workload : draft.mep.workloads) {
    if (workload.role == Role::Tune) continue;
    if (auto done = confirm(*trial, draft, workload, draft.mep.workloads.front()); !done) return done;
  }
  return {};
}

}  // namespace hone::mep
