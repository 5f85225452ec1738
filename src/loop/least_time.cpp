#include "loop/least_time.hpp"

#include <algorithm>
#include <cstring>

#include "core/launches.hpp"
#include "core/layout.hpp"

namespace hone::loop {
namespace {

using Operations = std::map<std::string, double>;

std::string type_name(const ir::Type& type) {
  switch (type.scalar) {
    case ir::Scalar::Half: return "half";
    case ir::Scalar::Float: return "float";
    case ir::Scalar::Double: return "double";
    default: return {};
  }
}

bool loads(const ir::NodePtr& node) {
  return node->kind == ir::Kind::Index || node->kind == ir::Kind::Verbatim || node->kind == ir::Kind::Call ||
         std::ranges::any_of(node->children, loads);
}

/// Counts what a tree does once for each work-item.
class Counter {
 public:
  Counter(const affine::View& view, std::vector<std::int64_t> middle) : view_(view), middle_(std::move(middle)) {}
  /// False when something cannot be counted.
  bool count(const ir::NodePtr& node, double times) {
    switch (node->kind) {
      case ir::Kind::For: {
        const auto trips = trips_of(node);
        return trips && count(ir::for_body(node), times * *trips);
      }
      case ir::Kind::While:
      case ir::Kind::DoWhile:
      case ir::Kind::Switch:
      case ir::Kind::Verbatim: return false;
      case ir::Kind::If:  // a guard lets nearly everything through; a condition on data, who knows
        return loads(ir::if_condition(node)) || count(ir::if_then(node), times);
      case ir::Kind::Select: return true;
      case ir::Kind::Binary: note(node->type, times, is_one_of(node->text, {"+", "-", "*", "/"}) ? 1 : 0); break;
      case ir::Kind::Assign:
        note(node->children.front()->type, times, is_one_of(node->text, {"+=", "-=", "*=", "/="}) ? 1 : 0);
        break;
      case ir::Kind::Call: note(node->type, times, is_one_of(node->text, {"fma", "mad", "fmaf"}) ? 2 : 1); break;
      default: break;
    }
    return std::ranges::all_of(node->children, [&](const ir::NodePtr& child) { return count(child, times); });
  }
  const Operations& operations() const { return operations_; }

 private:
  static bool is_one_of(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
  }
  void note(const ir::Type& type, double times, double operations) {
    if (const auto name = type_name(type); !name.empty() && type.is_plain())
      operations_[name] += times * operations * type.lanes;
  }
  /// Where the end depends on the work-item, that of the one in the middle stands for all.
  std::optional<double> at_middle(const std::optional<affine::Polynomial>& value) const {
    if (!value) return std::nullopt;
    auto known = *value;
    for (std::size_t d = 0; d < middle_.size(); ++d)
      known = known.substitute(affine::work_item(static_cast<int>(d)), middle_[d]);
    const auto constant = known.constant();
    return constant ? std::optional(static_cast<double>(*constant)) : std::nullopt;
  }
  std::optional<double> trips_of(const ir::NodePtr& node) const {
    const auto* loop = affine::loop_at(view_, node);
    if (loop == nullptr) return std::nullopt;
    const auto begin = at_middle(loop->begin), end = at_middle(loop->end), step = at_middle(loop->step);
    if (!begin || !end || !step || *step == 0) return std::nullopt;
    return std::max(0.0, (*end - *begin) / *step);
  }

  const affine::View& view_;
  std::vector<std::int64_t> middle_;
  Operations operations_;
};

/// Integer arguments of a launch, by name.
std::map<std::string, std::int64_t> scalars_of(const KernelSpec& kernel, const ConcreteLaunch& launch) {
  std::map<std::string, std::int64_t> out;
  for (std::size_t i = 0; i < kernel.arguments.size() && i < launch.arguments.size(); ++i) {
    const auto& value = launch.arguments[i];
    const auto type = element_type(kernel.arguments[i].type);
    if (value.kind != ArgumentSpec::Kind::Scalar || !type || type->scalar == "float" || type->scalar == "double" ||
        type->scalar == "half" || value.bytes.size() > sizeof(std::int64_t))
      continue;
    std::int64_t number = 0;
    std::memcpy(&number, value.bytes.data(), value.bytes.size());
    const bool negative = !type->scalar.starts_with("u") && !value.bytes.empty() && (value.bytes.back() & 0x80U) != 0;
    if (negative && value.bytes.size() < sizeof number) number -= std::int64_t{1} << (8 * value.bytes.size());
    out[kernel.arguments[i].name] = number;
  }
  return out;
}

/// How many work-items of a dimension do something.
std::vector<std::size_t> active_items(const affine::View& view, const std::vector<std::size_t>& global) {
  auto out = global;
  const auto guarded = affine::guarded_size(view);
  for (std::size_t d = 0; d < out.size() && d < guarded.size(); ++d) {
    if (!guarded[d]) continue;
    const auto size = guarded[d]->evaluate([&](std::string_view name) -> std::optional<Value> {
      for (std::size_t k = 0; k < global.size(); ++k)
        if (name == affine::global_size(static_cast<int>(k))) return Value(static_cast<std::int64_t>(global[k]));
      return std::nullopt;
    });
    const auto* number = size ? std::get_if<std::int64_t>(&*size) : nullptr;
    if (number != nullptr && *number >= 0) out[d] = std::min(out[d], static_cast<std::size_t>(*number));
  }
  return out;
}

Operations all_operations(const Mep& mep, const ir::Unit& unit, const Problem& problem) {
  Operations sum;
  std::map<std::string, std::optional<Operations>> known;
  for (const auto& launch : problem.launches) {
    const auto* kernel = find_kernel(mep, launch.kernel);
    if (kernel == nullptr) return {};
    const auto scalars = scalars_of(*kernel, launch);
    std::string key = launch.kernel;
    for (const auto size : launch.global) key += " " + std::to_string(size);
    for (const auto& [name, value] : scalars) key += " " + name + "=" + std::to_string(value);
    auto found = known.find(key);
    if (found == known.end())
      found = known.emplace(key, operations_of(unit, launch.kernel, scalars, launch.global)).first;
    if (!found->second) return {};
    for (const auto& [type, count] : *found->second) sum[type] += count;
  }
  return sum;
}

}  // namespace

std::optional<std::map<std::string, double>> operations_of(const ir::Unit& unit, const std::string& kernel,
                                                           const std::map<std::string, std::int64_t>& scalars,
                                                           const std::vector<std::size_t>& global) {
  const auto function = ir::find_function(unit, kernel);
  if (!function || function->children.empty()) return std::nullopt;
  affine::Facts facts;
  facts.values = scalars;
  const auto view = affine::analyse(unit, function, facts);
  const auto items = active_items(view, global);
  std::vector<std::int64_t> middle;
  double all = 1;
  for (const auto count : items) {
    middle.push_back(static_cast<std::int64_t>(count) / 2);
    all *= static_cast<double>(count);
  }
  Counter counter(view, std::move(middle));
  if (!counter.count(function->children.back(), all)) return std::nullopt;
  return counter.operations();
}

std::map<std::string, Needs> needs_of(const Mep& mep, const ir::Unit* unit, const DeviceInfo& device,
                                      const Ceilings& ceilings) {
  constexpr double nanoseconds = 1e9;
  std::map<std::string, Needs> out;
  for (const auto& workload : mep.workloads) {
    if (workload.role != Role::Tune) continue;
    const auto problem = concretise(mep, workload, {}, device, 1);
    if (!problem) continue;
    Needs needs;
    for (const auto& buffer : problem->buffers)
      if (const auto type = element_type(buffer.type)) needs.moved.count += buffer.count * type->bytes();
    needs.moving = least_time(ceilings, needs.moved, needs.moved);
    if (unit != nullptr) needs.operations = all_operations(mep, *unit, *problem);
    for (const auto& [type, count] : needs.operations)
      if (const auto rate = ceilings.flops.find(type); rate != ceilings.flops.end() && rate->second > 0)
        needs.computing += Nanoseconds(count / rate->second * nanoseconds);
    out[workload.name] = std::move(needs);
  }
  return out;
}

std::map<std::string, Nanoseconds> least_times(const Mep& mep, const ir::Unit* unit, const DeviceInfo& device,
                                               const Ceilings& ceilings) {
  std::map<std::string, Nanoseconds> out;
  for (const auto& [workload, needs] : needs_of(mep, unit, device, ceilings))
    if (const auto least = std::max(needs.moving, needs.computing); least.count() > 0) out[workload] = least;
  return out;
}

}  // namespace hone::loop
