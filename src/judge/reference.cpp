#include "judge/reference.hpp"

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "judge/widen.hpp"

namespace hone::judge {
namespace {

Error machinery(const Stop& why, const std::string& doing) {
  if (const auto* error = std::get_if<Error>(&why)) return *error;
  const auto& verdict = std::get<Verdict>(why);
  return Error("E-K0", doing + ": " + std::string(name_of(verdict)) + ": " + reason_of(verdict),
               "hone check on the MEP alone, and look at its kernel and workloads");
}

std::string hash_of_output(const Bytes8& bytes) {
  return content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Variant original(const Mep& mep) { return {mep.language, mep.source, {}, mep.options}; }

void Reference::note(std::string sentence) {
  if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.push_back(std::move(sentence));
}

std::string Reference::type_of(const std::string& output) const {
  const auto buffer = std::ranges::find(mep_.buffers, output, &BufferSpec::name);
  if (buffer != mep_.buffers.end()) return buffer->type;
  const auto image = std::ranges::find(mep_.images, output, &ImageSpec::name);
  if (image == mep_.images.end()) return "uchar";
  if (image->channel_type == "float" || image->channel_type == "half") return image->channel_type;
  return "uchar";
}

Result<DeviceInfo> Reference::device() {
  auto device = session_.device();
  if (!device) return fail(machinery(device.error(), "asking for the device"));
  return **device;
}

Checked<std::map<std::string, Bytes8>> Reference::run_once(const Variant& variant, const Problem& problem,
                                                           const std::vector<std::string>& wanted) {
  auto built = session_.build(variant, true);
  if (!built) return stop(std::move(built).error());
  if (auto loaded = session_.load(problem); !loaded) return stop(std::move(loaded).error());
  auto ran = session_.run(*built, problem, wanted);
  if (!ran) return stop(std::move(ran).error());
  if (!ran->broken_guards.empty()) {
    return stop(Error("E-K0", "K(0) itself writes outside buffer " + ran->broken_guards.front(),
                      "give the buffer a larger extent in mep.toml"));
  }
  return std::move(ran->outputs);
}

Result<std::map<std::string, Bytes8>> Reference::run(const Variant& variant, const Problem& problem,
                                                     const std::vector<std::string>& wanted) {
  auto outputs = run_once(variant, problem, wanted);
  const auto* verdict = outputs ? nullptr : std::get_if<Verdict>(&outputs.error());
  if (verdict != nullptr && std::holds_alternative<Crashed>(*verdict)) outputs = run_once(variant, problem, wanted);
  if (!outputs) return fail(machinery(outputs.error(), "running K(0)"));
  put_in_order(*outputs);
  return std::move(*outputs);
}

void Reference::put_in_order(std::map<std::string, Bytes8>& outputs) const {
  for (const auto& name : mep_.check.unordered)
    if (const auto found = outputs.find(name); found != outputs.end())
      found->second = sorted_elements(type_of(name), mep_.structs, found->second);
}

/// On the data that is loaded already, restored.
Result<std::map<std::string, Bytes8>> Reference::run_again(const Problem& problem) {
  if (auto built = session_.build(original(mep_), true))
    if (auto ran = session_.run(*built, problem, problem.outputs)) {
      put_in_order(ran->outputs);
      return std::move(ran->outputs);
    }
  return run(original(mep_), problem, problem.outputs);
}

/// A K(0) that answers differently each time is judged with the spread it shows, or not at all.
Status Reference::settle_spread(Expected& expected, const std::map<std::string, Bytes8>& again,
                                const std::string& workload) {
  for (const auto& [name, first] : expected.outputs) {
    const auto& second = again.at(name);
    if (first == second) continue;
    const auto type = type_of(name);
    CompareRule rule;
    rule.relative = mep_.check.relative;
    if (compare_output(type, first, second, rule)) {
      return fail(
          "E-NONDETERMINISTIC",
          "K(0) writes another " + name + " each time it runs on " + workload + ", by more than its type's tolerance",
          "a kernel without one answer cannot be judged; fix its race or its missing initialisation first");
    }
    expected.own_spread[name] = 2 * largest_difference(type, first, second);
    note("K(0) is not deterministic in " + name + ": its own spread is tolerated");
  }
  return {};
}

Result<const std::map<std::string, Bytes8>*> Reference::answer(const Workload& workload, std::uint64_t seed) {
  const std::pair key(workload.name, seed);
  if (const auto known = answers_.find(key); known != answers_.end()) return &known->second;
  if (const auto full = known_.find({workload.name, seed, std::nullopt, ""}); full != known_.end())
    return &full->second.outputs;
  auto device = this->device();
  if (!device) return fail(std::move(device).error());
  auto problem = concretise(mep_, workload, {}, *device, seed);
  if (!problem) return fail(problem.error());
  auto outputs = run(original(mep_), *problem, problem->outputs);
  if (!outputs) return fail(std::move(outputs).error().context("workload " + workload.name));
  return &answers_.emplace(key, std::move(*outputs)).first->second;
}

Status Reference::set(Problem& problem, const Setting& setting) {
  if (setting.contents != nullptr) fill_as(*setting.contents, problem);
  for (auto& buffer : problem.buffers) {
    const bool only_written = buffer.poison;
    buffer.poison = only_written && poison_;
    if (!only_written || !setting.old) continue;
    const auto results = answer(*setting.workload, *setting.old);
    if (!results) return fail(results.error());
    buffer.contents = (*results)->at(buffer.name);
    buffer.poison = false;
  }
  return {};
}

Result<Expected> Reference::compute(const Setting& setting) {
  const auto& workload = *setting.workload;
  auto device = this->device();
  if (!device) return fail(std::move(device).error());
  auto problem = concretise(mep_, workload, {}, *device, setting.seed);
  if (!problem) return fail(problem.error());
  if (auto done = set(*problem, setting); !done) return fail(std::move(done).error());
  auto wanted = problem->outputs;
  wanted.insert(wanted.end(), problem->inputs.begin(), problem->inputs.end());
  auto all = run(original(mep_), *problem, wanted);
  if (!all) return fail(std::move(all).error().context("workload " + workload.name));
  Expected expected;
  for (const auto& name : problem->outputs) expected.outputs[name] = std::move(all->at(name));
  for (const auto& name : problem->inputs) expected.inputs[name] = hash_of_output(all->at(name));
  for (const auto& [name, bytes] : expected.outputs) {
    expected.typical[name] = typical_size(type_of(name), bytes);
    if (setting.contents != nullptr && !is_finite(type_of(name), bytes))
      return fail("E-UNDEFINED", "K(0) has no finite " + name + " for " + setting.contents->name + " contents");
    if (setting.contents == nullptr && is_flat(type_of(name), bytes))
      note("K(0) writes one and the same value everywhere into " + name + " on " + workload.name +
           ": its check says little");
  }
  const auto start = std::chrono::steady_clock::now();
  auto again = run_again(*problem);
  expected.took = std::chrono::steady_clock::now() - start;
  if (!again) return fail(std::move(again).error().context("workload " + workload.name));
  if (auto settled = settle_spread(expected, *again, workload.name); !settled) return fail(std::move(settled).error());
  if (precise_) {
    auto precise = run_precise(std::move(*problem));
    if (precise) {
      expected.precise = std::move(*precise);
      for (const auto& [name, bytes] : expected.precise)
        expected.own_errors[name] = own_errors(type_of(name), bytes, expected.outputs.at(name));
    } else {
      note("no double-precision K(0), so the type's tolerance holds alone: " + precise.error().message());
      precise_.reset();
    }
  }
  return expected;
}

Result<std::map<std::string, Bytes8>> Reference::run_precise(Problem problem) {
  const auto wide = widened(mep_, std::move(problem));
  if (!wide) return fail(wide.error());
  auto outputs = run(*precise_, *wide, wide->outputs);
  if (!outputs) return outputs;
  for (auto& [name, bytes] : *outputs) bytes = narrowed(type_of(name), bytes);
  return outputs;
}

Result<const Expected*> Reference::expected(const Setting& setting) {
  const Key key(setting.workload->name, setting.seed, setting.old,
                setting.contents == nullptr ? "" : setting.contents->name);
  const auto found = known_.find(key);
  if (found != known_.end()) return &found->second;
  auto made = compute(setting);
  if (!made) return fail(std::move(made).error());
  return &known_.emplace(key, std::move(*made)).first->second;
}

}  // namespace hone::judge
