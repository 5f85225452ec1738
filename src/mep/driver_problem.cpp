#include "mep/driver_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/text.hpp"
#include "core/launches.hpp"
#include "core/sized_options.hpp"
#include "mep/driver_views.hpp"

namespace hone::mep {
namespace {

/// Words of the format end at spaces.
Status check_word(const std::string& name) {
  if (!name.empty() && name.find_first_of(" \t\n\r") == std::string::npos) return {};
  return fail("E-FORMAT", "\"" + name + "\" cannot be a name in problem.txt: it is empty or has a space",
              "rename it in mep.toml");
}
Status check_line(const std::string& text) {
  if (text.find_first_of("\n\r") == std::string::npos) return {};
  return fail("E-FORMAT", "\"" + text + "\" goes over several lines");
}

template <class T>
T load(const std::vector<std::uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string as_hex(const std::vector<std::uint8_t>& bytes) {
  std::string out = "bytes:";
  for (const auto byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

std::string integer_text(const ElementType& type, const std::vector<std::uint8_t>& bytes) {
  const bool is_signed = type.kind == ScalarKind::Signed;
  switch (type.scalar_bytes) {
    case 1:
      return is_signed ? fmt::format("{}", load<std::int8_t>(bytes)) : fmt::format("{}", load<std::uint8_t>(bytes));
    case 2:
      return is_signed ? fmt::format("{}", load<std::int16_t>(bytes)) : fmt::format("{}", load<std::uint16_t>(bytes));
    case 4:
      return is_signed ? fmt::format("{}", load<std::int32_t>(bytes)) : fmt::format("{}", load<std::uint32_t>(bytes));
    default:
      return is_signed ? fmt::format("{}", load<std::int64_t>(bytes)) : fmt::format("{}", load<std::uint64_t>(bytes));
  }
}

/// Numbers as a person would write them where that says exactly the same, bytes otherwise.
std::string value_text(const std::string& type_name, const std::vector<std::uint8_t>& bytes) {
  const auto type = element_type(type_name);
  if (!type || type->lanes != 1 || bytes.size() != type->scalar_bytes) return as_hex(bytes);
  if (type->kind != ScalarKind::Float) return type->scalar + ":" + integer_text(*type, bytes);
  if (type->scalar_bytes == 4 && std::isfinite(load<float>(bytes))) return fmt::format("float:{}", load<float>(bytes));
  if (type->scalar_bytes == 8 && std::isfinite(load<double>(bytes)))
    return fmt::format("double:{}", load<double>(bytes));
  return as_hex(bytes);
}

std::string argument_text(const ArgumentSpec& spec, const ArgumentValue& value) {
  switch (value.kind) {
    case ArgumentSpec::Kind::Buffer: return "buffer:" + value.text;
    case ArgumentSpec::Kind::Image: return "image:" + value.text;
    case ArgumentSpec::Kind::Local: return fmt::format("local:{}", value.local_bytes);
    case ArgumentSpec::Kind::Sampler: return "sampler:" + replace_all(value.text, " ", "+");
    case ArgumentSpec::Kind::Scalar:
    case ArgumentSpec::Kind::Struct: break;
  }
  return value_text(spec.type, value.bytes);
}

std::string launch_text(const Mep& mep, const ConcreteLaunch& launch) {
  // Words end at spaces, and an instance of a template is one: "scale<float,256>".
  std::string out =
      fmt::format("launch {} global {}", replace_all(launch.kernel, " ", ""), fmt::join(launch.global, " "));
  if (!launch.local.empty()) out += fmt::format(" local {}", fmt::join(launch.local, " "));
  if (!launch.offset.empty()) out += fmt::format(" offset {}", fmt::join(launch.offset, " "));
  const auto* kernel = find_kernel(mep, launch.kernel);  // concretise has found it already
  if (!launch.arguments.empty()) out += " arguments";
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    out += " " + argument_text(kernel->arguments[i], launch.arguments[i]);
  return out + "\n";
}

Result<std::string> data_text(const Mep& mep, const Problem& problem) {
  std::string out;
  for (const auto& buffer : problem.buffers) {
    for (const auto& checked : {check_word(buffer.name), check_line(buffer.fill)})
      if (!checked) return fail(checked.error());
    out += fmt::format("buffer {} {} {} {} {}\n", buffer.name, buffer.type, buffer.count, buffer.seed,
                       buffer.poison ? "poison" : buffer.fill);
  }
  for (const auto& image : problem.images) {
    for (const auto& checked : {check_word(image.name), check_line(image.fill)})
      if (!checked) return fail(checked.error());
    out += fmt::format("image {} {} {} {} {} {} {} {} {}\n", image.name, image.kind, image.channel_order,
                       image.channel_type, image.width, image.height, image.depth, image.seed, image.fill);
  }
  for (const auto& output : problem.outputs) {
    const auto views = views_of(mep, output);
    if (!views) return fail(views.error());
    for (const auto& view : *views)
      out += fmt::format("output {} {} {} {} {} {}\n", view.name, view.source, view.scalar.scalar, view.offset,
                         view.stride, view.lanes);
    const bool any_order = std::ranges::find(mep.check.unordered, output) != mep.check.unordered.end();
    if (any_order && !views->empty()) out += fmt::format("unordered {} {}\n", output, views->front().stride);
  }
  return out;
}

}  // namespace

Result<std::string> problem_text(const Mep& mep, const Variant& variant, const DeviceInfo& device) {
  std::string out = fmt::format(
      "# What mep.toml says, with every size and value worked out for the driver; driver/problem.h explains the "
      "lines.\nhone-problem 2\nkernel kernel{}\n",
      source_extension(variant.language));
  const bool sized = builds_differ(variant.options, mep);
  const auto add_options = [&out](const std::vector<std::string>& options) -> Status {
    for (const auto& option : options) {
      if (auto checked = check_line(option); !checked) return checked;
      out += "option " + option + "\n";
    }
    return {};
  };
  if (!sized)
    if (auto added = add_options(variant.options); !added) return fail(std::move(added).error());
  const auto relative = mep.check.tolerance ? mep.check.tolerance : mep.check.relative;
  if (relative) out += fmt::format("relative {}\n", *relative);
  for (const auto& workload : mep.workloads) {
    if (auto checked = check_line(workload.name); !checked) return fail(std::move(checked).error());
    const auto problem = concretise(mep, workload, variant.launches, device, kDriverSeed);
    if (!problem) return fail(problem.error());
    const auto data = data_text(mep, *problem);
    if (!data) return fail(data.error());
    out += fmt::format("\nworkload {} {}\n", name_of(workload.role), workload.name);
    if (sized)
      if (auto added = add_options(options_at(variant.options, workload.scalars)); !added)
        return fail(std::move(added).error());
    out += *data;
    for (const auto& launch : problem->launches) out += launch_text(mep, launch);
  }
  return out;
}

}  // namespace hone::mep
