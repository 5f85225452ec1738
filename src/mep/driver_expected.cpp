#include "mep/driver_expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "core/launches.hpp"
#include "core/sized_options.hpp"
#include "inputs/generator.hpp"
#include "inputs/half.hpp"
#include "mep/contents.hpp"
#include "mep/driver_problem.hpp"
#include "mep/driver_views.hpp"

namespace hone::mep {
namespace {

constexpr std::size_t kSamples = 128;

/// The scalars of one view.
class Scalars {
 public:
  Scalars(const OutputView& view, std::span<const std::uint8_t> bytes) : view_(view), bytes_(bytes) {}
  std::size_t size() const { return view_.scalars(bytes_.size()); }
  std::span<const std::uint8_t> bytes(std::size_t i) const {
    return bytes_.subspan(view_.at(i), view_.scalar.scalar_bytes);
  }
  bool is_real() const { return view_.scalar.kind == ScalarKind::Float; }
  bool poisoned(std::size_t i) const {
    return std::ranges::all_of(bytes(i), [](std::uint8_t byte) { return byte == inputs::kPoison; });
  }
  double real(std::size_t i) const {
    switch (view_.scalar.scalar_bytes) {
      case 2: return inputs::half_to(load<std::uint16_t>(i));
      case 4: return load<float>(i);
      default: return load<double>(i);
    }
  }
  std::string text(std::size_t i) const {
    const bool is_signed = view_.scalar.kind == ScalarKind::Signed;
    if (is_real()) return fmt::format("{}", real(i));
    switch (view_.scalar.scalar_bytes) {
      case 1: return is_signed ? shown<std::int8_t>(i) : shown<std::uint8_t>(i);
      case 2: return is_signed ? shown<std::int16_t>(i) : shown<std::uint16_t>(i);
      case 4: return is_signed ? shown<std::int32_t>(i) : shown<std::uint32_t>(i);
      default: return is_signed ? shown<std::int64_t>(i) : shown<std::uint64_t>(i);
    }
  }

 private:
  template <class T>
  T load(std::size_t i) const {
    T value{};
    std::memcpy(&value, bytes(i).data(), sizeof value);
    return value;
  }
  template <class T>
  std::string shown(std::size_t i) const {
    return fmt::format("{}", load<T>(i));
  }
  const OutputView& view_;
  std::span<const std::uint8_t> bytes_;
};

/// Spread over the whole output, each at a random place of its share: an even step would see one column of a matrix.
std::vector<std::size_t> sampled_elements(std::size_t count) {
  std::vector<std::size_t> out;
  if (count <= kSamples) {
    for (std::size_t i = 0; i < count; ++i) out.push_back(i);
    return out;
  }
  std::vector<double> jitter(kSamples);
  inputs::fill({inputs::Generator::Kind::Uniform, 0, 1}, *element_type("double"), kDriverSeed, 0,
               {reinterpret_cast<std::uint8_t*>(jitter.data()), kSamples * sizeof(double)});
  const double share = static_cast<double>(count) / kSamples;
  for (std::size_t i = 0; i < kSamples; ++i)
    out.push_back(std::min(count - 1, static_cast<std::size_t>((static_cast<double>(i) + jitter[i]) * share)));
  return out;
}

void add_norms(const Scalars& scalars, ExpectedOutput& out) {
  std::vector<double> sizes;
  double squares = 0;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const double size = std::abs(scalars.real(i));
    if (scalars.poisoned(i)) {
      ++out.unwritten;
    } else if (std::isnan(size)) {
      ++out.nan;
    } else if (std::isinf(size)) {
      ++out.infinite;
    } else {
      out.l1 += size;
      squares += size * size;
      out.max = std::max(out.max, size);
      if (size > 0) sizes.push_back(size);
    }
  }
  out.l2 = std::sqrt(squares);
  if (sizes.empty()) return;
  // As the judge has it: a few huge elements do not excuse the rest.
  constexpr double kSpread = 16;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  out.typical = std::min(std::sqrt(squares / static_cast<double>(sizes.size())), kSpread * *middle);
}

/// FNV-1a: the driver computes it too, in a line.
void add_digest(const Scalars& scalars, ExpectedOutput& out) {
  out.digest = 14695981039346656037ULL;
  for (std::size_t i = 0; i < scalars.size(); ++i)
    for (const auto byte : scalars.bytes(i)) out.digest = (out.digest ^ byte) * 1099511628211ULL;
}

ExpectedOutput summarise_view(const OutputView& view, std::span<const std::uint8_t> bytes) {
  const Scalars scalars(view, bytes);
  ExpectedOutput out;
  out.name = view.name;
  out.type = view.scalar.scalar;
  out.count = scalars.size();
  for (const auto element : sampled_elements(out.count)) out.samples.push_back({element, scalars.text(element)});
  if (scalars.is_real())
    add_norms(scalars, out);
  else
    add_digest(scalars, out);
  return out;
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string sample_text(const ExpectedOutput::Sample& sample) {
  const bool is_word = sample.value.find_first_of("ni") != std::string::npos;
  return fmt::format("[{}, {}]", sample.element, is_word ? quoted(sample.value) : sample.value);
}

std::string output_text(const ExpectedOutput& output) {
  std::string out = fmt::format("        {{ \"name\": {}, \"type\": \"{}\", \"count\": {},\n", quoted(output.name),
                                output.type, output.count);
  const auto type = element_type(output.type);
  if (type && type->kind == ScalarKind::Float) {
    out += fmt::format("          \"unwritten\": {}, \"nan\": {}, \"infinite\": {},\n", output.unwritten, output.nan,
                       output.infinite);
    out += fmt::format("          \"l1\": {}, \"l2\": {}, \"max\": {}, \"typical\": {},\n", output.l1, output.l2,
                       output.max, output.typical);
  } else {
    out += fmt::format("          \"digest\": \"{:016x}\",\n", output.digest);
  }
  out += "          \"samples\": [";
  for (std::size_t i = 0; i < output.samples.size(); ++i)
    out += (i == 0 ? "" : i % 6 == 0 ? ",\n            " : ", ") + sample_text(output.samples[i]);
  return out + "] }";
}

Error refused(const std::string& workload, const std::string& reason) {
  return Error("E-K0", "K(0) on workload " + workload + ": " + reason,
               "hone check on the MEP alone, and look at its kernel and workloads");
}

}  // namespace

Result<ExpectedWorkload> summarise(const Mep& mep, const std::string& workload, std::uint64_t seed,
                                   const OutputBytes& outputs) {
  ExpectedWorkload out{workload, seed, {}};
  for (const auto& [name, bytes] : outputs) {
    const auto views = views_of(mep, name);
    if (!views) return fail(views.error());
    const bool any_order = std::ranges::find(mep.check.unordered, name) != mep.check.unordered.end();
    const auto ordered = any_order && !views->empty() ? elements_in_order(bytes, views->front().stride) : bytes;
    for (const auto& view : *views) out.outputs.push_back(summarise_view(view, ordered));
  }
  return out;
}

Result<Expected> expect(const Mep& mep, DeviceSession& session) {
  Expected expected;
  for (const auto& workload : mep.workloads) {
    const auto built = session.build(mep.source, options_at(mep.options, workload.scalars));
    if (const auto* log = std::get_if<NotBuilt>(&built)) return fail("E-K0", "K(0) does not build: " + log->log);
    if (const auto* lost = std::get_if<WorkerLost>(&built)) return fail("E-K0", "building K(0): " + lost->reason);
    const auto problem = concretise(mep, workload, {}, session.device(), kDriverSeed);
    if (!problem) return fail(problem.error());
    const auto loaded = session.load(problem->buffers, problem->images);
    if (const auto* no = std::get_if<NotLaunched>(&loaded)) return fail(refused(workload.name, no->reason));
    if (const auto* lost = std::get_if<WorkerLost>(&loaded)) return fail(refused(workload.name, lost->reason));
    const auto ran = session.run(std::get<Built>(built).id, problem->launches, problem->outputs);
    if (const auto* no = std::get_if<NotLaunched>(&ran)) return fail(refused(workload.name, no->reason));
    if (const auto* lost = std::get_if<WorkerLost>(&ran)) return fail(refused(workload.name, lost->reason));
    auto summary = summarise(mep, workload.name, kDriverSeed, std::get<Ran>(ran).outputs);
    if (!summary) return fail(std::move(summary).error());
    expected.workloads.push_back(std::move(*summary));
  }
  return expected;
}

std::string to_json(const Expected& expected) {
  std::string out = "{ \"format\": 1,\n  \"workloads\": [";
  for (std::size_t w = 0; w < expected.workloads.size(); ++w) {
    const auto& workload = expected.workloads[w];
    out += fmt::format("{}\n    {{ \"name\": {}, \"seed\": {}, \"outputs\": [", w == 0 ? "" : ",",
                       quoted(workload.name), workload.seed);
    for (std::size_t i = 0; i < workload.outputs.size(); ++i)
      out += (i == 0 ? "\n" : ",\n") + output_text(workload.outputs[i]);
    out += " ] }";
  }
  return out + " ] }\n";
}

}  // namespace hone::mep
