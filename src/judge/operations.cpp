#include "judge/operations.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>

#include "inputs/contents.hpp"
#include "inputs/generator.hpp"
#include "inputs/half.hpp"
#include "interpreter/run.hpp"
#include "ir/dialect.hpp"

namespace hone::judge {
namespace {

using Finding = interpreter::Finding;

/// The interpreter takes some hundred nanoseconds for a step: enough for the small sizes it is given.
constexpr std::uint64_t kMostSteps = 20'000'000;
/// After this long only kernels that were not interpreted yet still are; and none longer than this.
constexpr std::chrono::seconds kLongEnough{5};
/// What has more data could not be cut down to a small size, and its shadow would be many times as large.
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

template <class T>
T read_as(const std::vector<std::uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

std::optional<interpreter::Argument> scalar(const std::string& type, const std::vector<std::uint8_t>& bytes) {
  const auto known = element_type(type);
  if (!known || known->lanes != 1) return std::nullopt;
  const bool is_signed = known->kind == ScalarKind::Signed;
  if (known->kind == ScalarKind::Float) {
    if (known->scalar_bytes == 2) return inputs::half_to(read_as<std::uint16_t>(bytes));
    return known->scalar_bytes == 4 ? static_cast<double>(read_as<float>(bytes)) : read_as<double>(bytes);
  }
  switch (known->scalar_bytes) {
    case 1: return static_cast<std::int64_t>(is_signed ? read_as<std::int8_t>(bytes) : read_as<std::uint8_t>(bytes));
    case 2: return static_cast<std::int64_t>(is_signed ? read_as<std::int16_t>(bytes) : read_as<std::uint16_t>(bytes));
    case 4: return is_signed ? std::int64_t{read_as<std::int32_t>(bytes)} : std::int64_t{read_as<std::uint32_t>(bytes)};
    default: return read_as<std::int64_t>(bytes);
  }
}

interpreter::Geometry geometry_of(const ConcreteLaunch& launch) {
  interpreter::Geometry out;
  for (std::size_t d = 0; d < std::min<std::size_t>(launch.global.size(), 3); ++d) {
    out.global[d] = launch.global[d];
    out.local[d] = d < launch.local.size() ? launch.local[d] : 1;
    if (d < launch.offset.size()) out.offset[d] = launch.offset[d];
  }
  return out;
}

Result<std::map<std::string, interpreter::Bytes>> data_of(const Problem& problem) {
  std::map<std::string, interpreter::Bytes> out;
  for (const auto& buffer : problem.buffers) {
    auto bytes = inputs::contents_of(buffer);
    if (!bytes) return fail(std::move(bytes).error());
    if (buffer.poison) std::ranges::fill(*bytes, inputs::kPoison);
    out[buffer.name] = std::move(*bytes);
  }
  return out;
}

}  // namespace

Result<std::optional<std::string>> InterpretedOperations::watch(const Variant& variant, const Problem& problem) {
  ir::LiftOptions lifting;
  lifting.defines = defines_in(variant.options);
  const auto unit = lifter_.lift(variant.source, ir::dialect_of(variant.language), lifting);
  if (!unit) return fail(unit.error());
  std::size_t bytes = 0;
  for (const auto& buffer : problem.buffers)
    if (const auto type = element_type(buffer.type)) bytes += buffer.count * type->bytes();
  if (bytes > kMostBytes) return fail("E-WATCH", "its smallest problem is too large to be interpreted");
  auto data = data_of(problem);
  if (!data) return fail(std::move(data).error());
  interpreter::Options options;
  options.equal_stores_race = false;
  options.most_steps = kMostSteps;
  const auto start = std::chrono::steady_clock::now();
  std::set<std::string> seen;
  for (const auto& launch : problem.launches) {
    const bool first = seen.insert(launch.kernel).second;
    if (!first && std::chrono::steady_clock::now() - start > kLongEnough) continue;
    const auto* kernel = find_kernel(mep_, launch.kernel);
    std::vector<interpreter::Argument> arguments;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const auto& given = launch.arguments[i];
      std::optional<interpreter::Argument> argument;
      if (given.kind == ArgumentSpec::Kind::Buffer) argument = &data->at(given.text);
      if (given.kind == ArgumentSpec::Kind::Local) argument = interpreter::LocalBytes{given.local_bytes};
      if (given.kind == ArgumentSpec::Kind::Scalar && kernel != nullptr && i < kernel->arguments.size())
        argument = scalar(kernel->arguments[i].type, given.bytes);
      if (!argument) return fail("E-WATCH", "the interpreter takes no such argument of " + launch.kernel);
      arguments.push_back(std::move(*argument));
    }
    options.enough = [begun = std::chrono::steady_clock::now()] {
      return std::chrono::steady_clock::now() - begun > kLongEnough;
    };
    const auto finding = interpreter::run(*unit, launch.kernel, arguments, geometry_of(launch), options);
    if (!finding) continue;
    if (finding->kind != Finding::Kind::Undefined) return fail("E-WATCH", finding->sentence);
    return "line " + std::to_string(finding->line) + ": " + finding->sentence;
  }
  return std::optional<std::string>();
}

}  // namespace hone::judge
