// Running a variant on one problem and comparing what it leaves behind.

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "core/sized_options.hpp"
#include "judge/case.hpp"
#include "judge/contention.hpp"

namespace hone::judge {
namespace {

std::string words(const Difference& difference, const std::string& name, const std::string& where, bool tells_values) {
  if (!tells_values) return "an output differs from K(0)'s on a held-out workload";
  return fmt::format("{}[{}] is {:.9g}, K(0) has {:.9g}; {} element{} of {} differ{} on {}", name, difference.element,
                     difference.got, difference.wanted, difference.count, difference.count == 1 ? "" : "s", name,
                     difference.count == 1 ? "s" : "", where);
}

/// As many runs as were asked for, or as many of a slow kernel as a few seconds hold: its claim is made by pairs.
std::size_t affordable(std::size_t runs, Nanoseconds pass) {
  constexpr double kSeconds = 2, kLeast = 5;
  const double fit = std::max(kLeast, kSeconds * 1e9 / std::max(pass.count(), 1.0));
  return std::min(runs, static_cast<std::size_t>(std::min(fit, 1e9)));
}

/// Messages of a runtime and of launch expressions tell sizes: of a held-out workload only the kind of failure is told.
Verdict without_sizes(Verdict verdict) {
  if (std::holds_alternative<BuildFailed>(verdict)) return BuildFailed{"does not build for a held-out workload"};
  if (std::holds_alternative<LaunchFailed>(verdict)) return LaunchFailed{"cannot be launched on a held-out workload"};
  if (std::holds_alternative<Infeasible>(verdict)) return Infeasible{"does not fit a held-out workload"};
  return verdict;
}

}  // namespace

Checked<Problem> Judge::problem_of(const Case& test, const Variant& variant, RenewingSession& session) {
  auto device = session.device();
  if (!device) return stop(std::move(device).error());
  auto problem = concretise(mep_, *test.workload, variant.launches, **device, test.seed);
  if (!problem) return stop(Verdict(Infeasible{problem.error().message()}));
  if (auto done = reference_.set(*problem, test); !done) return stop(std::move(done).error());
  return std::move(*problem);
}

std::optional<Verdict> Judge::compare_one(const std::string& name, const Bytes8& as_left, const Expected& expected,
                                          const Case& test) const {
  const auto type = reference_.type_of(name);
  const bool any_order = std::ranges::find(mep_.check.unordered, name) != mep_.check.unordered.end();
  const Bytes8 ordered = any_order ? sorted_elements(type, mep_.structs, as_left) : Bytes8();
  const Bytes8& got = any_order ? ordered : as_left;
  const auto spread = expected.own_spread.find(name);
  CompareRule rule{mep_.check.relative, spread == expected.own_spread.end() ? 0 : spread->second, !on(Defence::NanInf),
                   std::nullopt, mep_.check.tolerance};
  const auto precise = expected.precise.find(name);
  // A person's own tolerance stands in the place of this rule too.
  const bool has_precise = on(Defence::Precision) && !mep_.check.tolerance && precise != expected.precise.end();
  const auto worse = has_precise ? compare_precision(type, precise->second, expected.own_errors.at(name), got)
                                 : std::optional<Difference>();
  // Where K(0) itself is far from the exact answer, another order of its sums is too; what is as near is not wrong.
  const auto excused = [&](const Difference& difference) {
    return has_precise && !worse && !difference.of_kind && !difference.looks_unwritten;
  };
  const auto wrong = [&](const Difference& difference, const std::string& full) {
    const auto finer = difference.of_kind           ? name_of(Defence::NanInf)
                       : difference.looks_unwritten ? name_of(Defence::PoisonedOutputs)
                                                    : std::string_view("outputs");
    return WrongOutput{test.label(finer), words(difference, full, test.workload->name, test.tells_values())};
  };
  if (element_type(type)) {
    rule.typical = expected.typical.at(name);
    const auto difference = compare_output(type, expected.outputs.at(name), got, rule);
    if (difference && !excused(*difference)) return wrong(*difference, name);
  } else {
    const auto wanted = fields_of(type, mep_.structs, expected.outputs.at(name));
    const auto fields = fields_of(type, mep_.structs, got);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (const auto difference = compare_output(fields[f].type, wanted[f].bytes, fields[f].bytes, rule))
        return wrong(*difference, fields[f].name.empty() ? name : name + "." + fields[f].name);
  }
  if (!worse) return std::nullopt;
  const auto where = test.tells_values() ? fmt::format("; {}[{}] is {:.9g}, exactly {:.9g} on {}", name, worse->element,
                                                       worse->got, worse->wanted, test.workload->name)
                                         : std::string();
  return WrongOutput{std::string(name_of(Defence::Precision)),
                     "less precise than K(0) against double precision" + where};
}

std::optional<Verdict> Judge::refused(const Ran& ran, const Expected& expected, const Case& test) const {
  OwnCheck::Outputs got;
  for (const auto& [name, wanted] : expected.outputs)
    if (const auto found = ran.outputs.find(name); found != ran.outputs.end()) got.insert(*found);
  const auto why = ports_.own_check->refusal(expected.outputs, got, test.workload->scalars);
  if (!why) return WrongOutput{test.label("check-command"), why.error().message()};
  if (!*why) return std::nullopt;
  return WrongOutput{test.label("check-command"),
                     test.tells_values() ? **why + ", on " + test.workload->name
                                         : std::string("the check command refuses an output of a held-out workload")};
}

std::optional<Verdict> Judge::compare(const Ran& ran, const Expected& expected, const Case& test) const {
  if (on(Defence::GuardZones) && !ran.broken_guards.empty()) {
    return Unsafe{std::string(name_of(Defence::GuardZones)),
                  "writes outside buffer " + ran.broken_guards.front() + " on " + test.where()};
  }
  for (const auto& [name, wanted] : expected.outputs) {
    const auto hash = ran.hashes.find(name);
    if (hash != ran.hashes.end() && hash->second == expected.hashes.at(name)) continue;
    const auto got = ran.outputs.find(name);
    if (got == ran.outputs.end()) return WrongOutput{test.label("outputs"), "output " + name + " did not come back"};
    if (ports_.own_check != nullptr) continue;
    if (auto verdict = compare_one(name, got->second, expected, test)) return verdict;
  }
  if (ports_.own_check != nullptr)
    if (auto verdict = refused(ran, expected, test)) return verdict;
  for (const auto& [name, hash] : expected.inputs) {
    const auto got = ran.hashes.find(name);
    if (got == ran.hashes.end() || got->second == hash) continue;
    return Unsafe{std::string(name_of(Defence::InputsUnchanged)),
                  "changes " + name + ", which K(0) only reads, on " + test.where()};
  }
  return std::nullopt;
}

/// A candidate twenty times slower than K(0) is of no use to anyone; the floor leaves room for compiling.
void Judge::be_patient(RenewingSession& session, const Expected& expected, std::size_t runs) const {
  session.limit(std::max(options_.patience, expected.took * 20 * static_cast<double>(runs)));
}

Checked<Judge::Passed> Judge::check(RenewingSession& session, const Built& built, const Variant& variant,
                                    const Case& test) {
  auto checked = check_openly(session, built, variant, test);
  if (checked || test.tells_values()) return checked;
  if (auto* verdict = std::get_if<Verdict>(&checked.error())) return stop(without_sizes(std::move(*verdict)));
  return checked;
}

Checked<Judge::Passed> Judge::check_openly(RenewingSession& session, const Built& built, const Variant& variant,
                                           const Case& test) {
  const auto expected = reference_.expected(test);
  if (!expected) return stop(expected.error());
  auto own = built_for(session, built, variant, *test.workload);
  if (!own) return stop(std::move(own).error());
  auto problem = loaded(session, variant, test);
  if (!problem) return stop(std::move(problem).error());
  be_patient(session, **expected, 1);
  Nanoseconds first_pass{0};
  bool is_k0_alike = true;
  const bool inputs = on(Defence::InputsUnchanged) && test.inputs && !problem->inputs.empty();
  for (std::size_t run = 0; run < test.repeats; ++run) {
    auto ran = run_and_look(session, *own, *problem, **expected, inputs);
    if (!ran) return stop(std::move(ran).error());
    if (!ran->outputs.empty() && is_k0_alike) reference_.in_double(test);
    is_k0_alike = is_k0_alike && ran->outputs.empty();
    auto repeated = test;
    if (run > 0) repeated.defence = Defence::RepeatedRuns;
    if (auto verdict = compare(*ran, **expected, repeated)) return stop(std::move(*verdict));
    if (run == 0) first_pass = ran->span;
  }
  return Passed{std::move(*problem), std::move(*own), first_pass, is_k0_alike};
}

/// Outputs that are K(0)'s to the bit need not travel, nor be compared in any other way.
Checked<Ran> Judge::run_and_look(RenewingSession& session, const Built& built, const Problem& problem,
                                 const Expected& expected, bool inputs) {
  auto ran = session.run(built, problem, {});
  if (!ran) return ran;
  auto names = compares_hashes() ? problem.outputs : std::vector<std::string>();
  if (inputs) names.insert(names.end(), problem.inputs.begin(), problem.inputs.end());
  if (!names.empty()) {
    auto left = session.hashes(names);
    if (!left) return left;
    ran->hashes = std::move(left->hashes);
  }
  const auto is_k0s = [&](const std::string& name) {
    const auto hash = ran->hashes.find(name);
    return hash != ran->hashes.end() && hash->second == expected.hashes.at(name);
  };
  if (std::ranges::all_of(problem.outputs, is_k0s)) return ran;
  auto read = session.read(problem.outputs);
  if (!read) return read;
  ran->outputs = std::move(read->outputs);
  return ran;
}

/// Outputs in any order are put in order before they are compared, and a person's own check sees all of them.
bool Judge::compares_hashes() const { return ports_.own_check == nullptr && mep_.check.unordered.empty(); }

/// Where the host's macros follow its sizes, each workload is built by itself.
Checked<Built> Judge::built_for(RenewingSession& session, const Built& built, const Variant& variant,
                                const Workload& workload) {
  auto here = at_sizes(variant, workload);
  if (here.options == variant.options) return built;
  return session.build(here, on(Defence::SourceHash));
}

/// The data of a problem, nothing run on it yet.
Checked<Problem> Judge::loaded(RenewingSession& session, const Variant& variant, const Case& test) {
  auto problem = problem_of(test, variant, session);
  if (!problem) return problem;
  if (auto done = session.load(*problem); !done) return stop(std::move(done).error());
  return problem;
}

/// Times only with the outputs of the runs they belong to.
Checked<TimedOutputs> Judge::timed_outputs(const Problem& problem, const Case& test) {
  // Without restoring, a buffer that is read and written holds the result of many passes, not of one.
  const bool comparable = !problem.changes_inputs || restores(problem);
  if (!on(Defence::OutputsAfterTiming) || !comparable) return TimedOutputs({}, {});
  const auto expected = reference_.expected(test);
  if (!expected) return stop(expected.error());
  auto after = test;
  after.defence = Defence::OutputsAfterTiming;
  OutputHash k0s;
  for (const auto& name : problem.outputs) k0s.add((*expected)->hashes.at(name));
  return TimedOutputs(
      problem.outputs,
      [this, after, wanted = *expected](const Ran& ran) {
        reference_.in_double(after);
        return compare(ran, *wanted, after);
      },
      compares_hashes() ? std::set{k0s.value()} : std::set<std::string>());
}

/// Contents nobody has seen, and results of other contents where outputs go.
Judge::Case Judge::case_for_timing(const Workload& workload, std::uint64_t fresh) {
  Case test{{&workload, options_.seed}, std::nullopt, 1};
  if (on(Defence::FreshContents)) {
    test.seed = fresh;
    test.defence = Defence::FreshContents;
  }
  if (on(Defence::OldResults)) test.old = test.seed == options_.seed ? options_.seed + 1 : options_.seed;
  return test;
}

Checked<Timed> Judge::timed(RenewingSession& session, const Built& built, const Variant& variant,
                            const Workload& workload, std::size_t runs) {
  const auto test = case_for_timing(workload, fresh_seed());
  Checked<Passed> ready = stop(Error("E-JUDGE", "nothing is loaded"));
  if (on(Defence::FreshContents)) {
    ready = check(session, built, variant, test);
  } else {
    auto own = built_for(session, built, variant, workload);
    if (!own) return stop(std::move(own).error());
    ready = loaded(session, variant, test).map([&](Problem loaded) { return Passed{std::move(loaded), *own, {}}; });
  }
  if (!ready) return stop(std::move(ready).error());
  const auto& problem = ready->problem;
  runs = affordable(runs, ready->first_pass);
  auto outputs = timed_outputs(problem, test);
  if (!outputs) return stop(std::move(outputs).error());
  const auto expected = reference_.expected(test);
  if (!expected) return stop(expected.error());
  be_patient(session, **expected, runs);
  auto taken = outputs->time(session, ready->built, problem.launches, runs, restores(problem));
  if (!taken) return stop(std::move(taken).error());
  if (on(Defence::SourceHash) && taken->source_hash != ready->built.source_hash) {
    session.discard();
    return stop(Verdict(Unsafe{std::string(name_of(Defence::SourceHash)), "what was timed is not what was sent"}));
  }
  return Timed{undisturbed_passes(*taken).passes, taken->busy};
}

}  // namespace hone::judge
