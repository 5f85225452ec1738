#include "judge/reference.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/hash.hpp"
#include "core/sized_options.hpp"
#include "judge/widen.hpp"

namespace hone::judge {
namespace {

Error machinery(const Stop& why, const std::string& doing) {
  if (const auto* error = std::get_if<Error>(&why)) return *error;
  const auto& verdict = std::get<Verdict>(why);
  return Error("E-K0", doing + ": " + std::string(name_of(verdict)) + ": " + reason_of(verdict),
               "hone check on the MEP alone, and look at its kernel and workloads");
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
  static const std::set<std::string> known = {"float",       "half",       "unorm_int8",
                                              "unorm_int16", "snorm_int8", "snorm_int16"};
  return known.count(image->channel_type) != 0 ? image->channel_type : "uchar";
}

Result<DeviceInfo> Reference::device() {
  if (device_) return *device_;
  auto device = session_.device();
  if (!device) return fail(machinery(device.error(), "asking for the device"));
  return device_.emplace(**device);
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
Result<std::map<std::string, Bytes8>> Reference::run_again(const Problem& problem, const Workload& workload) {
  const auto k0 = at_sizes(original(mep_), workload);
  if (auto built = session_.build(k0, true))
    if (auto ran = session_.run(*built, problem, problem.outputs)) {
      put_in_order(ran->outputs);
      return std::move(ran->outputs);
    }
  return run(k0, problem, problem.outputs);
}

/// A K(0) that answers differently each time is judged with the spread it shows, or not at all.
Status Reference::settle_spread(Expected& expected, const std::map<std::string, Bytes8>& again,
                                const Workload& workload) {
  if (own_check_ != nullptr) {
    const auto refused = own_check_->refusal(expected.outputs, again, workload.scalars);
    if (!refused) return fail(refused.error());
    if (*refused)
      return fail("E-CHECK", "the original's own outputs do not pass on " + workload.name + ": " + **refused,
                  "try the check command on a folder with expected/, got/ and scalars: docs/formats.md");
    return {};
  }
  for (const auto& [name, first] : expected.outputs) {
    const auto& second = again.at(name);
    if (first == second) continue;
    const auto type = type_of(name);
    CompareRule rule;
    rule.relative = mep_.check.relative;
    if (compare_output(type, first, second, rule)) {
      return fail("E-NONDETERMINISTIC",
                  "K(0) writes another " + name + " each time it runs on " + workload.name +
                      ", by more than its type's tolerance",
                  "a kernel without one answer cannot be judged; fix its race or its missing initialisation first");
    }
    expected.own_spread[name] = 2 * largest_difference(type, first, second);
    note("K(0) is not deterministic in " + name + ": its own spread is tolerated");
  }
  return {};
}

Status Reference::set(Problem& problem, const Setting& setting) {
  if (setting.contents != nullptr) fill_as(*setting.contents, problem);
  for (auto& buffer : problem.buffers) {
    const bool only_written = buffer.poison;
    buffer.poison = only_written && poison_;
    if (!only_written || !setting.old) continue;
    const auto results = answer({setting.workload, *setting.old});
    if (!results) return fail(results.error());
    buffer.contents = (*results)->outputs.at(buffer.name);
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
  auto all = run(at_sizes(original(mep_), workload), *problem, problem->outputs);
  if (!all) return fail(std::move(all).error().context("workload " + workload.name));
  Expected expected;
  for (const auto& name : problem->outputs) expected.outputs[name] = std::move(all->at(name));
  auto inputs = session_.hashes(problem->inputs);
  if (!inputs) return fail(machinery(inputs.error(), "reading the inputs of K(0)"));
  expected.inputs = std::move(inputs->hashes);
  for (const auto& [name, bytes] : expected.outputs) {
    expected.hashes[name] = hash_of_bytes(bytes);
    expected.typical[name] = typical_size(type_of(name), bytes);
    if (setting.contents != nullptr && !is_finite(type_of(name), bytes))
      return fail("E-UNDEFINED", "K(0) has no finite " + name + " for " + setting.contents->name + " contents");
    if (setting.contents == nullptr && is_flat(type_of(name), bytes))
      note("K(0) writes one and the same value everywhere into " + name + " on " + workload.name +
           ": its check says little");
  }
  if (auto done = repeat(expected, *problem, setting); !done) return fail(std::move(done).error());
  return expected;
}

Status Reference::repeat(Expected& expected, const Problem& problem, const Setting& setting) {
  const auto& workload = setting.workload->name;
  const std::pair key(workload, setting.contents == nullptr ? std::string() : setting.contents->name);
  if (const auto steady = steady_.find(key); steady != steady_.end()) {
    expected.took = steady->second;
    return {};
  }
  const auto start = std::chrono::steady_clock::now();
  const auto again = run_again(problem, *setting.workload);
  expected.took = std::chrono::steady_clock::now() - start;
  if (!again) return fail(Error(again.error()).context("workload " + workload));
  if (auto settled = settle_spread(expected, *again, *setting.workload); !settled) return settled;
  if (expected.own_spread.empty()) steady_[key] = expected.took;
  return {};
}

const Expected* Reference::same_answer(const Expected& expected, const Setting& setting) const {
  if (setting.contents != nullptr) return nullptr;
  const auto& name = setting.workload->name;
  for (auto known = known_.lower_bound({name, setting.seed, std::nullopt, ""}); known != known_.end(); ++known) {
    const auto& [workload, seed, old, contents] = known->first;
    if (workload != name || seed != setting.seed) break;
    if (contents.empty() && !known->second.precise.empty() && known->second.hashes == expected.hashes)
      return &known->second;
  }
  return nullptr;
}

void Reference::add_precise(Expected& expected, Problem problem, const Setting& setting) {
  if (const auto* same = same_answer(expected, setting)) {
    expected.precise = same->precise;
    expected.own_errors = same->own_errors;
    return;
  }
  auto precise = run_precise(std::move(problem), *setting.workload);
  if (!precise) {
    note("no double-precision K(0), so the type's tolerance holds alone: " + precise.error().message());
    precise_.reset();
    return;
  }
  expected.precise = std::move(*precise);
  for (const auto& [name, bytes] : expected.precise)
    expected.own_errors[name] = own_errors(type_of(name), bytes, expected.outputs.at(name));
}

Result<std::map<std::string, Bytes8>> Reference::run_precise(Problem problem, const Workload& workload) {
  const auto wide = widened(mep_, std::move(problem));
  if (!wide) return fail(wide.error());
  auto outputs = run(at_sizes(*precise_, workload), *wide, wide->outputs);
  if (!outputs) return outputs;
  for (auto& [name, bytes] : *outputs) bytes = narrowed(type_of(name), bytes);
  return outputs;
}

void Reference::begin() {
  if (std::exchange(begun_, true) || !session_.device()) return;
  beginning_ = std::async(std::launch::async, [this] {
    const std::scoped_lock work(working_);
    const auto* tune = find_workload(mep_, Role::Tune);
    const auto at_tune = [&](const Variant& variant) { return tune == nullptr ? variant : at_sizes(variant, *tune); };
    (void)session_.build(at_tune(original(mep_)), true);
    if (precise_) (void)session_.build(at_tune(*precise_), true);
  });
}

Reference::Key Reference::key_of(const Setting& setting) {
  return {setting.workload->name, setting.seed, setting.old, setting.contents == nullptr ? "" : setting.contents->name};
}

const Expected* Reference::find(const Key& key) {
  const std::scoped_lock look(looking_);
  const auto found = known_.find(key);
  return found == known_.end() ? nullptr : &found->second;
}

Result<const Expected*> Reference::expected(const Setting& setting) {
  const auto key = key_of(setting);
  {
    std::unique_lock look(looking_);
    came_.wait(look, [&] { return known_.contains(key) || !coming_.contains(key); });
  }
  return answer(setting);
}

Result<const Expected*> Reference::answer(const Setting& setting) {
  const auto key = key_of(setting);
  if (const auto* known = find(key)) return known;
  const std::scoped_lock work(working_);
  if (const auto* known = find(key)) return known;
  auto made = compute(setting);
  if (!made) return fail(std::move(made).error());
  const std::scoped_lock look(looking_);
  return &known_.emplace(key, std::move(*made)).first->second;
}

void Reference::in_double(const Setting& setting) {
  {
    std::unique_lock look(looking_);
    came_.wait(look, [&] { return !coming_.contains(key_of(setting)); });
  }
  double_answer(setting);
}

void Reference::double_answer(const Setting& setting) {
  const std::scoped_lock work(working_);
  const auto found = known_.find(key_of(setting));
  if (!precise_ || found == known_.end() || !doubled_.insert(found->first).second) return;
  const auto device = this->device();
  auto problem = device ? concretise(mep_, *setting.workload, {}, *device, setting.seed) : fail(device.error());
  if (problem && set(*problem, setting)) add_precise(found->second, std::move(*problem), setting);
}

void Reference::ahead(std::vector<Setting> settings, bool in_double) {
  halt();
  if (!device()) return;
  for (const auto& setting : settings) coming_.insert(key_of(setting));
  answering_ = std::async(std::launch::async, [this, in_double, settings = std::move(settings)] {
    for (const auto& setting : settings) {
      // What fails here fails again where someone waits for it.
      if (!halted_ && answer(setting)) {
        came_.notify_all();
        if (in_double) double_answer(setting);
      }
      {
        const std::scoped_lock look(looking_);
        coming_.erase(key_of(setting));
      }
      came_.notify_all();
    }
  });
}

void Reference::halt() {
  halted_ = true;
  if (answering_.valid()) answering_.get();
  halted_ = false;
}

}  // namespace hone::judge
