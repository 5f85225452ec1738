#include "patterns/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "patterns/signature.hpp"

namespace hone::patterns {
namespace {

std::string device_text(const DeviceInfo& device) {
  return device.driver.empty() ? device.name : device.name + ", " + device.driver;
}

std::string change_of(const Incumbent& winner) {
  if (!winner.schedule.empty()) return join(lines_of(winner.schedule), "; ");
  return winner.rationale.empty() ? winner.template_name : winner.template_name + ": " + winner.rationale;
}

double usefulness(const Pattern& pattern, const Features& code, const std::string& device) {
  const double alike = likeness(parse(pattern.code), code);
  const double gain = std::log(std::max(pattern.low, 1.0));
  return 10 * alike * alike + (pattern.device == device ? 2 : 0) + std::min(gain, 4.0);
}

}  // namespace

std::optional<Pattern> pattern_of(const Mep& mep, const Incumbent& winner, const Comparison& comparison,
                                  const DeviceInfo& device, const std::string& trial) {
  if (comparison.call != Comparison::Call::Faster || winner.template_name.empty()) return std::nullopt;
  Pattern pattern;
  pattern.change = change_of(winner);
  pattern.code = print(features_of(mep));
  pattern.device = device_text(device);
  pattern.ratio = comparison.ratio;
  pattern.low = comparison.low;
  pattern.high = comparison.high;
  pattern.trial = trial;
  pattern.configuration = winner.configuration;
  if (winner.schedule.empty()) pattern.source = winner.variant.source;
  return pattern;
}

std::vector<Pattern> ranked(const std::vector<Pattern>& patterns, const Mep& mep, const DeviceInfo& device,
                            std::size_t most, const PatternUses& uses) {
  const Features code = features_of(mep);
  const std::string name = device_text(device);
  std::vector<std::pair<double, const Pattern*>> order;
  order.reserve(patterns.size());
  for (const auto& pattern : patterns) {
    const auto use = uses.find(pattern.trial);
    const double trust = use == uses.end() ? 1 : use->second.trust();
    order.emplace_back(trust * usefulness(pattern, code, name), &pattern);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Pattern> best;
  std::set<std::string> seen;
  for (const auto& [score, pattern] : order)
    if (best.size() < most && seen.insert(pattern->change).second) best.push_back(*pattern);
  return best;
}

}  // namespace hone::patterns
