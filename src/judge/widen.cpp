#include "judge/widen.hpp"

#include <algorithm>
#include <cstring>

#include "inputs/generator.hpp"

namespace hone::judge {
namespace {

/// What is sent to the worker as bytes; larger problems are compared by the type's rule alone.
constexpr std::size_t kMost = std::size_t{512} << 20U;

std::optional<std::string> double_name(const std::string& type) {
  const auto known = element_type(type);
  if (!known || known->scalar != "float") return std::nullopt;
  return known->lanes == 1 ? std::string("double") : "double" + std::to_string(known->lanes);
}

template <class From, class To>
Bytes8 each(const Bytes8& bytes) {
  Bytes8 out(bytes.size() / sizeof(From) * sizeof(To));
  for (std::size_t i = 0; i < bytes.size() / sizeof(From); ++i) {
    From from{};
    std::memcpy(&from, bytes.data() + i * sizeof(From), sizeof from);
    const auto to = static_cast<To>(from);
    std::memcpy(out.data() + i * sizeof(To), &to, sizeof to);
  }
  return out;
}

void widen(BufferData& buffer) {
  const auto type = double_name(buffer.type);
  if (!type) return;
  if (!buffer.contents.empty())
    buffer.contents = each<float, double>(buffer.contents);
  else
    buffer.made_as = buffer.type;
  buffer.type = *type;
}

Status widen(const Mep& mep, ConcreteLaunch& launch) {
  const auto kernel = std::ranges::find(mep.kernels, launch.kernel, &KernelSpec::name);
  if (kernel == mep.kernels.end() || kernel->arguments.size() != launch.arguments.size())
    return fail("E-DOUBLE", "the arguments of " + launch.kernel + " are not known");
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    if (!double_name(kernel->arguments[i].type)) continue;
    auto& argument = launch.arguments[i];
    if (argument.kind == ArgumentSpec::Kind::Scalar) argument.bytes = each<float, double>(argument.bytes);
    if (argument.kind == ArgumentSpec::Kind::Local) argument.local_bytes *= 2;
  }
  return {};
}

}  // namespace

Result<Problem> widened(const Mep& mep, Problem problem) {
  std::size_t bytes = 0;
  for (const auto& buffer : problem.buffers)
    if (const auto type = element_type(buffer.type)) bytes += buffer.count * type->bytes();
  if (bytes > kMost) return fail("E-DOUBLE", "the data is too large to be sent twice as wide");
  for (auto& buffer : problem.buffers) widen(buffer);
  for (auto& launch : problem.launches)
    if (auto done = widen(mep, launch); !done) return fail(std::move(done).error());
  return problem;
}

Bytes8 narrowed(const std::string& type, const Bytes8& bytes) {
  if (!double_name(type)) return bytes;
  auto out = each<double, float>(bytes);
  const auto poison = [](std::uint8_t byte) { return byte == inputs::kPoison; };
  for (std::size_t i = 0; i < bytes.size() / sizeof(double); ++i) {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(i * sizeof(double));
    if (!std::all_of(from, from + sizeof(double), poison)) continue;
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(i * sizeof(float)), sizeof(float), inputs::kPoison);
  }
  return out;
}

}  // namespace hone::judge
