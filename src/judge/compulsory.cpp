// Bytes that any right answer must move, found by asking K(0).

#include <algorithm>
#include <cstring>
#include <random>

#include "core/sized_options.hpp"
#include "inputs/contents.hpp"
#include "inputs/generator.hpp"
#include "judge/reference.hpp"

namespace hone::judge {
namespace {

/// When this many elements chosen at random all matter, at least half of the buffer does, but for a chance of 0.4%.
constexpr std::size_t kProbes = 8;

std::size_t changed_bytes(const Bytes8& before, const Bytes8& after) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) changed += before[i] == after[i] ? 0 : 1;
  return changed;
}

/// A value of a float of the same kind that is surely another one.
void change(Bytes8& contents, std::size_t element) {
  float value = 0;
  std::memcpy(&value, contents.data() + element * sizeof value, sizeof value);
  value = value * 2 + 1;
  std::memcpy(contents.data() + element * sizeof value, &value, sizeof value);
}

}  // namespace

Result<bool> Reference::depends_on(const Problem& problem, std::size_t buffer,
                                   const std::map<std::string, Bytes8>& answer, const Setting& setting) {
  const auto contents = inputs::contents_of(problem.buffers[buffer]);
  if (!contents) return fail(contents.error());
  const auto elements = contents->size() / sizeof(float);
  if (elements == 0) return false;
  std::mt19937_64 random(setting.seed);
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    Problem other = problem;
    auto& changed = other.buffers[buffer].contents = *contents;
    change(changed, random() % elements);
    const auto outputs = run(at_sizes(original(mep_), *setting.workload), other, problem.outputs);
    if (!outputs) return fail(outputs.error());
    if (*outputs == answer) return false;
  }
  return true;
}

Result<Bytes> Reference::compulsory(const Workload& workload, std::uint64_t seed) {
  auto device = this->device();
  if (!device) return fail(std::move(device).error());
  const auto expected = this->expected({&workload, seed});
  if (!expected) return fail(expected.error());
  auto problem = concretise(mep_, workload, {}, *device, seed);
  if (!problem) return fail(problem.error());
  for (auto& buffer : problem->buffers) buffer.poison = buffer.poison && poison_;
  Bytes sum{0};
  for (std::size_t b = 0; b < problem->buffers.size(); ++b) {
    const auto& buffer = problem->buffers[b];
    const auto output = (*expected)->outputs.find(buffer.name);
    if (output != (*expected)->outputs.end()) {
      const auto before = inputs::contents_of(buffer);
      if (before) sum.count += changed_bytes(*before, output->second);
      continue;
    }
    // Integers may be indices: a changed one could make K(0) leave its buffers.
    const auto type = element_type(buffer.type);
    if (!type || type->scalar != "float") continue;
    const auto matters = depends_on(*problem, b, (*expected)->outputs, {&workload, seed});
    if (!matters) return fail(matters.error());
    if (*matters) sum.count += buffer.count * type->bytes() / 2;
  }
  return sum;
}

}  // namespace hone::judge
