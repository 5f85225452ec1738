#include <algorithm>

#include "judge/race_checker.hpp"

namespace hone::judge {
namespace {

/// Small enough for a device that takes some microseconds for each memory access.
constexpr std::size_t kEnoughItems = 1024;
/// Smaller numbers are radii, strides and counts rather than sizes.
constexpr std::int64_t kLeastSize = 12;

std::size_t items_of(const Problem& problem) {
  std::size_t items = 0;
  for (const auto& launch : problem.launches) {
    std::size_t product = 1;
    for (const auto size : launch.global) product *= size;
    items += product;
  }
  return items;
}

std::size_t bytes_of(const Problem& problem) {
  std::size_t bytes = 0;
  for (const auto& buffer : problem.buffers) bytes += buffer.count;
  return bytes;
}

bool keeps_contract(const Mep& mep, const Workload& workload) {
  const auto environment = environment_of(workload.scalars);
  return std::ranges::all_of(
      mep.contract, [&](const Expression& rule) { return rule.evaluate_condition(environment).value_or(false); });
}

/// Every dimension that had several groups still has at least two, so that tiles meet and edges are crossed.
bool keeps_groups(const Problem& before, const Problem& after) {
  if (after.launches.empty()) return false;
  for (std::size_t l = 0; l < std::min(before.launches.size(), after.launches.size()); ++l) {
    const auto& was = before.launches[l];
    const auto& is = after.launches[l];
    for (std::size_t d = 0; d < is.local.size(); ++d) {
      const auto step = std::max<std::size_t>(is.local[d], 1);
      if (was.global[d] / step >= 2 && is.global[d] / step < 2) return false;
    }
  }
  return true;
}

/// What a launch does to which memory is the same each time it is made: sizes, scalars and local memory do not change.
bool only_buffers_differ(const Mep& mep, const Launch& a, const Launch& b) {
  const auto* kernel = find_kernel(mep, a.kernel);
  if (kernel == nullptr || a.kernel != b.kernel || a.global != b.global || a.local != b.local || a.offset != b.offset)
    return false;
  return std::ranges::all_of(kernel->arguments, [&](const ArgumentSpec& argument) {
    const bool memory = argument.kind == ArgumentSpec::Kind::Buffer || argument.kind == ArgumentSpec::Kind::Image;
    const auto of_a = a.arguments.find(argument.name), of_b = b.arguments.find(argument.name);
    return memory || (of_a != a.arguments.end() && of_b != b.arguments.end() &&
                      of_a->second.value == of_b->second.value && of_a->second.fields == of_b->second.fields);
  });
}

/// Whether sizes and scalars are the same in every round.
bool rounds_are_alike(const Mep& mep, const LaunchLoop& loop) {
  const auto next = [&](std::string_view name) -> std::optional<Expression> {
    if (name != loop.variable) return std::nullopt;
    return Expression::binary("+", Expression::name(loop.variable), Expression::literal(Value(std::int64_t{1})));
  };
  return std::ranges::all_of(loop.body, [&](const LaunchStep& step) {
    const auto* launch = std::get_if<Launch>(&step);
    if (launch == nullptr) return false;
    auto other = *launch;
    for (auto* sizes : {&other.global, &other.local, &other.offset})
      for (auto& size : *sizes) size = size.substitute(next);
    for (auto& [name, binding] : other.arguments) {
      binding.value = binding.value.substitute(next);
      for (auto& [path, value] : binding.fields) value = value.substitute(next);
    }
    return only_buffers_differ(mep, *launch, other);
  });
}

/// Steps in time, whose buffers only change places, are watched once: what one of them may touch, all may.
std::vector<LaunchStep> without_repetitions(const Mep& mep, const std::vector<LaunchStep>& steps) {
  std::vector<LaunchStep> out;
  for (const auto& step : steps) {
    const auto* launch = std::get_if<Launch>(&step);
    const auto* before = out.empty() ? nullptr : std::get_if<Launch>(&out.back());
    if (launch != nullptr && before != nullptr && only_buffers_differ(mep, *before, *launch)) continue;
    out.push_back(step);
    if (auto* loop = std::get_if<LaunchLoop>(&out.back()); loop != nullptr && rounds_are_alike(mep, *loop))
      loop->end = Expression::call(
          "min", {loop->end, Expression::binary("+", loop->begin, Expression::literal(Value(std::int64_t{1})))});
  }
  return out;
}

}  // namespace

Workload shrink(const Mep& mep, const Workload& workload, const Variant& variant, const DeviceInfo& device) {
  const auto whole = concretise(mep, workload, variant.launches, device, 1);
  if (!whole) return workload;
  Workload small = workload;
  small.launches = without_repetitions(mep, workload.launches);
  auto problem = *whole;
  if (auto fewer = concretise(mep, small, variant.launches, device, 1)) problem = std::move(*fewer);
  const auto first = problem;
  for (bool shrunk = true; shrunk && (items_of(problem) > kEnoughItems || bytes_of(problem) > kEnoughItems * 16);) {
    shrunk = false;
    for (auto& [name, value] : small.scalars) {
      const auto* size = std::get_if<std::int64_t>(&value);
      if (size == nullptr || *size < kLeastSize) continue;
      for (const auto smaller : {*size / 2 | 1, *size / 2, *size * 3 / 4 | 1, *size * 3 / 4}) {
        if (smaller >= *size) continue;
        auto tried = small;
        tried.scalars[name] = smaller;
        auto made = concretise(mep, tried, variant.launches, device, 1);
        if (!made || !keeps_contract(mep, tried) || !keeps_groups(first, *made)) continue;
        value = smaller;
        problem = std::move(*made);
        shrunk = true;
        break;
      }
    }
  }
  return small;
}

}  // namespace hone::judge
