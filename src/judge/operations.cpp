#include "judge/operations.hpp"

#include <algorithm>
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

std::size_t items_of(const std::array<std::size_t, 3>& sizes) { return sizes[0] * sizes[1] * sizes[2]; }

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

Result<std::optional<std::string>> InterpretedOperations::interpret(const Variant& variant, const Problem& problem,
                                                                    bool glance) {
  ir::LiftOptions lifting;
  lifting.defines = defines_in(variant.options);
  const auto unit = lifter_.lift(variant.source, ir::dialect_of(variant.language), lifting);
  if (!unit) return fail(unit.error());
  std::size_t bytes = 0;
  for (const auto& buffer : problem.buffers)
    if (const auto type = element_type(buffer.type)) bytes += buffer.count * type->bytes();
  if (bytes > limits_.bytes) return fail("E-WATCH", "its smallest problem is too large to be interpreted");
  auto data = data_of(problem);
  if (!data) return fail(std::move(data).error());
  interpreter::Options options;
  options.equal_stores_race = false;
  options.most_steps = limits_.steps;
  const auto start = std::chrono::steady_clock::now();
  std::set<std::string> seen;
  for (const auto& launch : problem.launches) {
    const bool first = seen.insert(launch.kernel).second;
    if (!first && std::chrono::steady_clock::now() - start > limits_.time) continue;
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
    const auto geometry = geometry_of(launch);
    const auto sampled = items_of(geometry.global) > limits_.items || bytes > limits_.small_data;
    options.most_groups = sampled ? std::max<std::size_t>(2, limits_.items / 16 / items_of(geometry.local)) : 0;
    options.enough = [begun = std::chrono::steady_clock::now(), limit = sampled ? limits_.time / 5 : limits_.time] {
      return std::chrono::steady_clock::now() - begun > limit;
    };
    const auto finding = interpreter::run(*unit, launch.kernel, arguments, geometry, options);
    if (!finding && sampled) break;
    if (!finding) continue;
    // At the small size races and barriers are left to the device that watches: what the interpreter calls one may be
    // meant.
    const bool tells = finding->kind == Finding::Kind::Undefined || finding->kind == Finding::Kind::OutOfBounds ||
                       (glance && variant.language == Language::OpenCL && finding->kind != Finding::Kind::Unsupported);
    if (!tells) return fail("E-WATCH", finding->sentence);
    return "line " + std::to_string(finding->line) + ": " + finding->sentence;
  }
  return std::optional<std::string>();
}

}  // namespace hone::judge
