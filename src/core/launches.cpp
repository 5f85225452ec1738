#include "core/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "core/fills.hpp"
#include "core/layout.hpp"

namespace hone {
namespace {

constexpr std::size_t max_launches = 1'000'000;

/// What the sequence does to one buffer or image, in order of its launches.
struct Use {
  bool read = false, written = false, first_is_write = false;
};

class Concretiser {
 public:
  Concretiser(const Mep& mep, const Workload& workload, const std::vector<LaunchShape>& shapes,
              const DeviceInfo& device, std::uint64_t seed)
      : mep_(mep), shapes_(shapes), device_(device_environment(device)), seed_(seed) {
    for (const auto& [name, value] : workload.scalars) names_[name] = value;
    for (const auto& buffer : mep.buffers) names_[buffer.name] = buffer.name;
    for (const auto& image : mep.images) names_[image.name] = image.name;
  }

  Result<Problem> all(const Workload& workload) {
    if (auto done = steps(workload.launches); !done) return fail(std::move(done).error());
    if (auto done = data(); !done) return fail(std::move(done).error());
    return std::move(problem_);
  }

 private:
  Expression::Environment environment() const {
    return [this](std::string_view name) -> std::optional<Value> {
      if (const auto found = names_.find(name); found != names_.end()) return found->second;
      return device_(name);
    };
  }

  Status steps(const std::vector<LaunchStep>& body) {
    for (const auto& step : body) {
      const auto* launch = std::get_if<Launch>(&step);
      auto done = launch != nullptr ? one(*launch) : loop(std::get<LaunchLoop>(step));
      if (!done) return done;
    }
    return {};
  }

  Status loop(const LaunchLoop& loop) {
    const auto begin = loop.begin.evaluate_integer(environment());
    if (!begin) return fail(Error(begin.error()).context("loop " + loop.variable));
    const auto end = loop.end.evaluate_integer(environment());
    if (!end) return fail(Error(end.error()).context("loop " + loop.variable));
    const auto shadowed = names_.find(loop.variable);
    const std::optional<Value> before = shadowed == names_.end() ? std::nullopt : std::optional(shadowed->second);
    ++loops_;
    for (auto i = *begin; i < *end; ++i) {
      names_[loop.variable] = i;
      if (auto done = steps(loop.body); !done) return done;
    }
    --loops_;
    if (before)
      names_[loop.variable] = *before;
    else
      names_.erase(loop.variable);
    return {};
  }

  Status one(const Launch& launch) {
    if (problem_.launches.size() >= max_launches)
      return fail("E-LAUNCH", fmt::format("more than {} launches in one pass", max_launches),
                  "choose a smaller workload");
    const auto* kernel = find_kernel(mep_, launch.kernel);
    if (kernel == nullptr) return fail("E-LAUNCH", "kernel '" + launch.kernel + "' is not declared in this MEP");
    if (has_nothing_to_do(launch)) return {};
    ConcreteLaunch out{.kernel = launch.kernel, .arguments = {}, .global = {}, .local = {}, .offset = {}};
    if (auto done = geometry(launch, out); !done)
      return fail(std::move(done).error().context("launch of " + launch.kernel));
    for (const auto& argument : kernel->arguments) {
      auto value = bind(launch, argument);
      if (!value)
        return fail(std::move(value).error().context("launch of " + launch.kernel + ", argument " + argument.name));
      out.arguments.push_back(std::move(*value));
    }
    problem_.launches.push_back(std::move(out));
    return {};
  }

  Result<std::vector<std::size_t>> sizes(const std::vector<Expression>& expressions,
                                         const Expression::Environment& names) {
    std::vector<std::size_t> out;
    for (const auto& expression : expressions) {
      const auto size = expression.evaluate_integer(names);
      if (!size) return fail(Error(size.error()).context("size " + expression.print()));
      if (*size < 0) return fail("E-LAUNCH", fmt::format("size {} is {}", expression.print(), *size));
      out.push_back(static_cast<std::size_t>(*size));
    }
    return out;
  }

  /// The last round of a loop over ever fewer rows: no host launches nothing.
  bool has_nothing_to_do(const Launch& launch) {
    if (loops_ == 0) return false;
    const auto global = sizes(launch.global, environment());
    return global && std::ranges::find(*global, 0U) != global->end();
  }

  Status geometry(const Launch& launch, ConcreteLaunch& out) {
    const auto names = environment();
    auto global = sizes(launch.global, names), local = sizes(launch.local, names), offset = sizes(launch.offset, names);
    for (const auto* part : {&global, &local, &offset})
      if (!*part) return fail(part->error());
    const auto shape = std::ranges::find(shapes_, launch.kernel, &LaunchShape::kernel);
    if (shape != shapes_.end()) {
      auto reshaped = reshape(*shape, *global, *local);
      if (!reshaped) return fail(std::move(reshaped).error());
      std::tie(*global, *local) = std::move(*reshaped);
    }
    if (global->empty() || global->size() > 3) return fail("E-LAUNCH", "a launch has one to three dimensions");
    if (!local->empty() && local->size() != global->size())
      return fail("E-LAUNCH", fmt::format("{} global but {} local dimensions", global->size(), local->size()));
    out.global = std::move(*global);
    out.local = std::move(*local);
    out.offset = std::move(*offset);
    return {};
  }

  using Sizes = std::vector<std::size_t>;
  Result<std::pair<Sizes, Sizes>> reshape(const LaunchShape& shape, const Sizes& global, const Sizes& local) {
    std::map<std::string, Value, std::less<>> original;
    for (std::size_t d = 0; d < global.size(); ++d)
      original[fmt::format("launch.global[{}]", d)] = static_cast<std::int64_t>(global[d]);
    for (std::size_t d = 0; d < local.size(); ++d)
      original[fmt::format("launch.local[{}]", d)] = static_cast<std::int64_t>(local[d]);
    const auto outer = environment();
    const Expression::Environment names = [&](std::string_view name) -> std::optional<Value> {
      if (const auto found = original.find(name); found != original.end()) return found->second;
      return outer(name);
    };
    auto new_global = sizes(shape.global, names), new_local = sizes(shape.local, names);
    if (!new_global) return fail(std::move(new_global).error());
    if (!new_local) return fail(std::move(new_local).error());
    for (std::size_t d = 0; d < std::min(new_global->size(), new_local->size()); ++d) {
      const auto step = std::max<std::size_t>((*new_local)[d], 1);
      (*new_global)[d] = ((*new_global)[d] + step - 1) / step * step;
    }
    return std::pair(std::move(*new_global), std::move(*new_local));
  }

  Result<ArgumentValue> bind(const Launch& launch, const ArgumentSpec& argument) {
    const auto found = launch.arguments.find(argument.name);
    if (found == launch.arguments.end()) return fail("E-LAUNCH", "is not bound");
    const auto& binding = found->second;
    ArgumentValue out{.kind = argument.kind, .text = {}, .bytes = {}, .local_bytes = 0};
    switch (argument.kind) {
      case ArgumentSpec::Kind::Buffer:
      case ArgumentSpec::Kind::Image: return memory(binding, argument);
      case ArgumentSpec::Kind::Sampler: {
        const auto text = binding.value.evaluate(environment());
        if (!text) return fail(text.error());
        const auto* description = std::get_if<std::string>(&*text);
        if (description == nullptr) return fail("E-LAUNCH", "a sampler is described by a string");
        out.text = *description;
        return out;
      }
      case ArgumentSpec::Kind::Local: {
        const auto count = binding.value.evaluate_integer(environment());
        if (!count) return fail(count.error());
        const auto layout = layout_of(argument.type, mep_.structs);
        if (!layout) return fail(layout.error());
        if (*count <= 0) return fail("E-LAUNCH", fmt::format("{} elements of local memory", *count));
        out.local_bytes = static_cast<std::size_t>(*count) * layout->bytes;
        return out;
      }
      case ArgumentSpec::Kind::Scalar:
      case ArgumentSpec::Kind::Struct: {
        auto bytes = value_bytes(binding, argument);
        if (!bytes) return fail(std::move(bytes).error());
        out.bytes = std::move(*bytes);
        return out;
      }
    }
    return out;
  }

  Result<std::vector<std::uint8_t>> value_bytes(const Binding& binding, const ArgumentSpec& argument) {
    if (binding.fields.empty()) {
      const auto value = binding.value.evaluate(environment());
      if (!value) return fail(value.error());
      return encode(*value, argument.type);
    }
    std::map<std::string, Value> fields;
    for (const auto& [name, expression] : binding.fields) {
      const auto value = expression.evaluate(environment());
      if (!value) return fail(value.error());
      fields[name] = *value;
    }
    return encode(fields, argument.type, mep_.structs);
  }

  Result<ArgumentValue> memory(const Binding& binding, const ArgumentSpec& argument) {
    const auto value = binding.value.evaluate(environment());
    if (!value) return fail(value.error());
    const auto* name = std::get_if<std::string>(&*value);
    const bool image = argument.kind == ArgumentSpec::Kind::Image;
    const bool known =
        name != nullptr && (image ? std::ranges::find(mep_.images, *name, &ImageSpec::name) != mep_.images.end()
                                  : std::ranges::find(mep_.buffers, *name, &BufferSpec::name) != mep_.buffers.end());
    if (!known)
      return fail("E-LAUNCH",
                  fmt::format("{} is not {} of this MEP", binding.value.print(), image ? "an image" : "a buffer"));
    auto& use = uses_[*name];
    if (!use.read && !use.written) use.first_is_write = argument.access == Access::Write;
    use.read |= argument.access != Access::Write;
    use.written |= argument.access != Access::Read;
    return ArgumentValue{.kind = argument.kind, .text = *name, .bytes = {}, .local_bytes = 0};
  }

  std::uint64_t seed_of(const std::string& name) const {
    return std::stoull(content_hash(fmt::format("{}:{}", seed_, name)).substr(0, 16), nullptr, 16);
  }

  Status data() {
    for (const auto& buffer : mep_.buffers) {
      if (!uses_.contains(buffer.name)) continue;
      auto made = buffer_data(buffer);
      if (!made) return fail(std::move(made).error().context("buffer " + buffer.name));
      problem_.buffers.push_back(std::move(*made));
    }
    for (const auto& image : mep_.images) {
      if (!uses_.contains(image.name)) continue;
      const auto extent = sizes({image.width, image.height, image.depth}, environment());
      const auto fill = concrete_fill(image.fill, environment());
      if (!fill) return fail(Error(fill.error()).context("image " + image.name));
      if (!extent) return fail(Error(extent.error()).context("image " + image.name));
      ImageData out;
      out.name = image.name;
      out.channel_order = image.channel_order;
      out.channel_type = image.channel_type;
      out.width = (*extent)[0];
      out.height = (*extent)[1];
      out.fill = *fill;
      out.seed = seed_of(image.name);
      out.kind = image.kind;
      out.depth = (*extent)[2];
      if (out.width == 0 || out.height == 0 || out.depth == 0)
        return fail("E-LAUNCH", fmt::format("image {} has no pixels: {} by {} by {}", image.name, out.width, out.height,
                                            out.depth));
      problem_.images.push_back(std::move(out));
    }
    for (const auto& [name, use] : uses_) {
      (use.written ? problem_.outputs : problem_.inputs).push_back(name);
      problem_.changes_inputs |= use.written && !use.first_is_write;
    }
    return {};
  }

  Result<BufferData> buffer_data(const BufferSpec& buffer) {
    const auto extent = buffer.extent.evaluate_integer(environment());
    if (!extent) return fail(extent.error());
    if (*extent <= 0) return fail("E-LAUNCH", fmt::format("extent {} is {}", buffer.extent.print(), *extent));
    const auto layout = layout_of(buffer.type, mep_.structs);
    if (!layout) return fail(layout.error());
    BufferData out;
    out.name = buffer.name;
    out.type = buffer.type;
    out.count = static_cast<std::size_t>(*extent);
    const bool plain = element_type(buffer.type).has_value();
    auto fill = plain ? concrete_fill(buffer.fill, environment())
                      : record_fill(buffer.fill, buffer.type, mep_.structs, environment());
    if (!fill) return fail(std::move(fill).error());
    out.fill = std::move(*fill);
    out.seed = seed_of(buffer.name);
    // What a kernel leaves unwritten must not reach a later one: it would compute with the poison.
    out.poison = uses_[buffer.name].first_is_write && !uses_[buffer.name].read;
    out.only_read = !uses_[buffer.name].written;
    if (plain) return out;
    out.type = "uchar";
    out.count *= layout->bytes;
    return out;
  }

  const Mep& mep_;
  const std::vector<LaunchShape>& shapes_;
  Expression::Environment device_;
  std::uint64_t seed_;
  std::map<std::string, Value, std::less<>> names_;
  int loops_ = 0;  // around the step
  std::map<std::string, Use> uses_;
  Problem problem_;
};

}  // namespace

Result<Problem> concretise(const Mep& mep, const Workload& workload, const std::vector<LaunchShape>& shapes,
                           const DeviceInfo& device, std::uint64_t seed) {
  auto problem = Concretiser(mep, workload, shapes, device, seed).all(workload);
  if (!problem) return fail(std::move(problem).error().context("workload " + workload.name));
  return problem;
}

Expression::Environment device_environment(const DeviceInfo& device) {
  return [facts = device.facts](std::string_view name) -> std::optional<Value> {
    constexpr std::string_view prefix = "device.";
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto found = facts.find(std::string(name.substr(prefix.size())));
    if (found == facts.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace hone
