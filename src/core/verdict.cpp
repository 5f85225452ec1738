#include "core/verdict.hpp"

#include <algorithm>
#include <numeric>

namespace hone {

namespace {
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
}  // namespace

std::string_view name_of(const Verdict& verdict) {
  return std::visit(
      Overloaded{[](const Timed&) { return "Timed"; }, [](const WrongOutput&) { return "WrongOutput"; },
                 [](const BuildFailed&) { return "BuildFailed"; }, [](const LaunchFailed&) { return "LaunchFailed"; },
                 [](const Crashed&) { return "Crashed"; }, [](const TimedOut&) { return "TimedOut"; },
                 [](const Unsafe&) { return "Unsafe"; }, [](const Infeasible&) { return "Infeasible"; }},
      verdict);
}

std::string reason_of(const Verdict& verdict) {
  return std::visit(Overloaded{[](const Timed&) { return std::string(); }, [](const BuildFailed& v) { return v.log; },
                               [](const auto& v) { return v.reason; }},
                    verdict);
}

std::string defence_of(const Verdict& verdict) {
  if (const auto* wrong = std::get_if<WrongOutput>(&verdict)) return wrong->defence;
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) return unsafe->defence;
  return {};
}

Nanoseconds median(std::vector<Nanoseconds> samples) {
  if (samples.empty()) return Nanoseconds(0);
  std::ranges::sort(samples);
  const auto middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

Nanoseconds trimmed_mean(std::vector<Nanoseconds> samples, std::size_t k) {
  if (samples.size() <= 2 * k) return median(std::move(samples));
  std::ranges::sort(samples);
  const auto first = samples.begin() + static_cast<std::ptrdiff_t>(k);
  const auto last = samples.end() - static_cast<std::ptrdiff_t>(k);
  return std::accumulate(first, last, Nanoseconds(0)) / static_cast<double>(last - first);
}

std::string_view name_of(Comparison::Call call) {
  switch (call) {
    case Comparison::Call::Faster: return "FASTER";
    case Comparison::Call::Same: return "SAME";
    case Comparison::Call::Slower: return "SLOWER";
    case Comparison::Call::Unclear: return "UNCLEAR";
    case Comparison::Call::Busy: return "BUSY";
  }
  return "UNCLEAR";
}

}  // namespace hone
