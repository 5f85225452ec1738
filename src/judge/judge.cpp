#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <future>

#include "base/text.hpp"
#include "core/sized_options.hpp"
#include "core/workload_sizes.hpp"
#include "judge/case.hpp"
#include "judge/contention.hpp"
#include "judge/device_macros.hpp"
#include "judge/drawn_size.hpp"
#include "judge/gate.hpp"

namespace hone::judge {

/// A first run may be so much slower than those that follow it.
static constexpr double kCold = 2;

Judge::Judge(Mep mep, DeviceSessions& sessions, JudgeOptions options, JudgePorts ports)
    : mep_(std::move(mep)),
      sessions_(sessions),
      options_(options),
      ports_(std::move(ports)),
      reference_(mep_, sessions, ports_.precise, options.defences.has(Defence::PoisonedOutputs), ports_.notes,
                 ports_.own_check),
      session_(sessions) {}

std::vector<const Workload*> Judge::workloads(Role role) const {
  std::vector<const Workload*> found;
  for (const auto& workload : mep_.workloads) {
    if (workload.role == role) found.push_back(&workload);
  }
  return found;
}

/// A crash is believed the second time, the incumbent's too: the first may be the work of an earlier candidate, or of
/// someone who ended the process from outside. Clocks that disagree are believed the third time: a busy machine makes
/// them disagree now and then, a kernel that forges its times does it always. After a verdict that means damage the
/// process is not used again.
Result<Judgement> Judge::believed(const std::function<Checked<Judgement>()>& attempt) {
  std::unique_ptr<Turn> turn;
  if (ports_.turns != nullptr) {
    auto taken = ports_.turns->take();
    if (!taken) return fail(std::move(taken).error());
    turn = std::move(*taken);
  }
  for (int tries = 0;; ++tries) {
    auto done = attempt();
    if (done) return std::move(*done);
    if (auto* error = std::get_if<Error>(&done.error())) {
      if (error->code() == "E-INCUMBENT" && tries == 0) continue;
      return fail(std::move(*error));
    }
    auto& verdict = std::get<Verdict>(done.error());
    const bool damage = std::holds_alternative<Crashed>(verdict) || std::holds_alternative<Unsafe>(verdict);
    if (damage) session_.discard();
    if (std::holds_alternative<Crashed>(verdict) && tries == 0) continue;
    if (defence_of(verdict) == name_of(Defence::ParentClock) && tries < 2) continue;
    Judgement judgement;
    judgement.verdict = std::move(verdict);
    return judgement;
  }
}

Checked<Built> Judge::admit(RenewingSession& session, const Variant& variant) {
  if (on(Defence::StaticGate)) {
    if (auto refused = gate(variant, original(mep_)))
      return stop(Verdict(Unsafe{std::string(name_of(Defence::StaticGate)), *refused}));
  }
  const auto tunes = workloads(Role::Tune);
  auto built = session.build(tunes.empty() ? variant : at_sizes(variant, *tunes.front()), on(Defence::SourceHash));
  auto device = session.device();
  if (!built || !device) return built;
  // Some runtimes take more local memory than they say they have; what fits only there is of no use elsewhere.
  const auto limit = (*device)->facts.find("local_bytes");
  const auto* most = limit == (*device)->facts.end() ? nullptr : std::get_if<std::int64_t>(&limit->second);
  for (const auto& kernel : built->kernels) {
    const auto used = kernel.numbers.find("local_bytes");
    if (most == nullptr || used == kernel.numbers.end() || used->second <= *most) continue;
    return stop(Verdict(Infeasible{kernel.kernel + " needs " + std::to_string(used->second) +
                                   " bytes of local memory, the device has " + std::to_string(*most)}));
  }
  return built;
}

Result<Judgement> Judge::screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) {
  return believed([&] { return screen_once(variant, incumbent); });
}

Checked<Judgement> Judge::screen_once(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) {
  if (options_.in_background) reference_.begin();
  auto built = admit(session_, variant);
  reference_.wait();
  if (!built) return stop(std::move(built).error());
  if (on(Defence::AwkwardSize)) {
    for (const auto* workload : workloads(Role::Awkward)) {
      auto checked = check(session_, *built, variant, {{workload, options_.seed}, Defence::AwkwardSize, 1});
      if (!checked) return stop(std::move(checked).error());
    }
  }
  Judgement judgement;
  for (const auto* workload : workloads(Role::Tune)) {
    Case test{{workload, options_.seed}, std::nullopt, 1};
    test.inputs = !on(Defence::AwkwardSize) || workloads(Role::Awkward).empty();
    if (on(Defence::OldResults)) test.old = options_.seed + 1;
    auto passed = check(session_, *built, variant, test);
    if (!passed) return stop(std::move(passed).error());
    auto outputs = timed_outputs(passed->problem, test);
    if (!outputs) return stop(std::move(outputs).error());
    const auto known = incumbent.find(workload->name);
    auto& times = judgement.times[workload->name];
    // The run that was checked tells it already where the loss is clear, cold caches and all.
    if (known != incumbent.end() && passed->first_pass > known->second * options_.hopeless * kCold) {
      times = {{passed->first_pass}, {passed->first_pass}};
      judgement.censored = true;
      break;
    }
    const auto take = [&](std::size_t runs) -> Checked<std::monostate> {
      auto taken = outputs->time(session_, passed->built, passed->problem.launches, runs, restores(passed->problem));
      if (!taken) return stop(std::move(taken).error());
      const auto alone = undisturbed_passes(*taken);
      times.span.insert(times.span.end(), alone.passes.begin(), alone.passes.end());
      times.busy.insert(times.busy.end(), taken->busy.begin(), taken->busy.end());
      return {};
    };
    // One run tells whether the others are worth their time.
    const std::size_t first = known == incumbent.end() ? options_.screen_runs : 1;
    if (auto taken = take(first); !taken) return stop(std::move(taken).error());
    judgement.censored = known != incumbent.end() && times.span.front() > known->second * options_.hopeless;
    if (judgement.censored) break;
    if (first < options_.screen_runs) {
      if (auto taken = take(options_.screen_runs - first); !taken) return stop(std::move(taken).error());
    }
  }
  if (judgement.times.empty()) return stop(Error("E-WORKLOAD", "the MEP has no tune workload", "add one to mep.toml"));
  judgement.verdict = judgement.times.begin()->second;
  return judgement;
}

Result<Judgement> Judge::judge(const Variant& variant) {
  return believed([&] { return judge_once(variant, false); });
}

Result<std::optional<Verdict>> Judge::refusal(const Variant& variant) {
  auto judged = believed([&] { return judge_once(variant, false, false); });
  if (!judged) return fail(std::move(judged).error());
  if (std::holds_alternative<Timed>(judged->verdict)) return std::nullopt;
  return std::move(judged->verdict);
}

std::optional<Workload> Judge::drawn_for(const Variant& variant) const {
  std::uint64_t seed = options_.seed;
  for (const unsigned char c : variant.source) seed = (seed ^ c) * 0x100000001b3U;
  auto drawn = drawn_workload(mep_, seed);
  if (!drawn) return drawn;
  std::vector<std::string> sizes;
  for (const auto& name : size_scalars(mep_))
    sizes.push_back(fmt::format("{} = {}", name, print(drawn->scalars.at(name))));
  drawn->name = join(sizes, ", ");
  return drawn;
}

/// Small problems first: most faults show there, and they are cheap.
std::vector<Judge::Case> Judge::cases_of_judgement() const {
  std::vector<Case> cases;
  const auto seeds = on(Defence::SeveralSeeds) ? std::max<std::size_t>(options_.seeds, 1) : 1;
  const auto add = [&](Role role, std::optional<Defence> defence) {
    // Where times are taken on contents of their own, these are the last of them.
    const auto here = role == Role::Tune && on(Defence::FreshContents) && seeds > 2 ? seeds - 1 : seeds;
    for (const auto* workload : workloads(role)) {
      cases.push_back({{workload, options_.seed}, defence, on(Defence::RepeatedRuns) ? options_.repeats : 1});
      if (on(Defence::OldResults) && here == 1)
        cases.push_back({{workload, options_.seed, options_.seed + 1}, Defence::OldResults, 1});
      for (std::size_t s = 1; s < here; ++s) {
        cases.push_back({{workload, options_.seed + s}, defence ? defence : Defence::SeveralSeeds, 1});
        if (on(Defence::OldResults) && s == 1) cases.back().old = options_.seed;
      }
    }
  };
  if (on(Defence::AwkwardSize)) add(Role::Awkward, Defence::AwkwardSize);
  add(Role::Tune, std::nullopt);
  if (on(Defence::HeldOut)) add(Role::HeldOut, Defence::HeldOut);
  return cases;
}

/// One case tries other contents and old results at once. Which of them it was is asked only of what failed.
Stop Judge::by_what_it_is_for(Stop failed, const Built& built, const Variant& variant, const Case& test) {
  const auto* verdict = std::get_if<Verdict>(&failed);
  const bool is_wrong = verdict != nullptr && std::holds_alternative<WrongOutput>(*verdict);
  if (!is_wrong || !test.old || test.defence == Defence::OldResults) return failed;
  auto without = test, with = test;
  without.old.reset();
  with.defence = Defence::OldResults;
  if (!check(session_, built, variant, without)) return failed;
  auto again = check(session_, built, variant, with);
  return again ? std::move(failed) : std::move(again).error();
}

namespace {
/// Nothing is computed in the background after its end: what it points to is gone then.
struct Halted {
  Reference& reference;
  ~Halted() { reference.halt(); }
};
}  // namespace

Checked<Judgement> Judge::judge_once(const Variant& variant, bool beside, bool timed) {
  auto built = admit(session_, variant);
  if (!built) return stop(std::move(built).error());
  auto cases = cases_of_judgement();
  // One more size, drawn only now that the candidate cannot change any more.
  auto drawn = on(Defence::HeldOut) ? drawn_for(variant) : std::nullopt;
  if (drawn) cases.push_back({{&*drawn, options_.seed}, Defence::HeldOut, 1});
  auto device = reference_.device();
  if (!device) return stop(std::move(device).error());
  const auto seen = as_on_device(variant);
  std::string not_drawn;
  std::vector<std::string> of_operations;
  std::future<Checked<bool>> interpreting;
  const Halted at_the_end{reference_};
  for (const auto& test : cases) {
    // Sizes that the application compiles in belong together in ways no contract says: where K(0) fails, nothing is
    // asked.
    if (drawn && test.workload == &*drawn && !reference_.expected(test)) {
      not_drawn = fmt::format("{}, {}", nothing_at_drawn_size, drawn->name);
      continue;
    }
    auto checked = check(session_, *built, variant, test);
    if (!checked) return stop(by_what_it_is_for(std::move(checked).error(), *built, variant, test));
    // What did not fail at once is interpreted meanwhile, unless its times are to be told; and K(0) answers what comes.
    if (interpreting.valid()) continue;
    if (options_.in_background) reference_.ahead({cases.begin() + 1, cases.end()}, !checked->is_k0_alike);
    const auto when = options_.in_background && beside ? std::launch::async : std::launch::deferred;
    interpreting = std::async(when, [&] { return watch_operations(seen, *device, of_operations); });
  }
  if (auto tried = try_other_contents(*built, variant); !tried) return stop(std::move(tried).error());
  reference_.halt();
  auto named = try_named_sizes(*built, variant);
  if (!named) return stop(std::move(named).error());
  Judgement judgement;
  if (!not_drawn.empty()) judgement.notes.push_back(not_drawn);
  // Many runs in one process, each compared: a kernel may be right for as long as a short comparison looks.
  if (timed)
    if (auto done = time_tuned(*built, variant, judgement); !done) return stop(std::move(done).error());
  auto watched = watch(Defence::Races, ports_.races, seen, *device, judgement.notes);
  if (!watched) return stop(std::move(watched).error());
  auto interpreted = interpreting.valid() ? interpreting.get() : Checked<bool>(false);
  if (!interpreted) return stop(std::move(interpreted).error());
  judgement.notes.insert(judgement.notes.end(), of_operations.begin(), of_operations.end());
  judgement.checks = checks_made(not_drawn.empty() ? drawn : std::nullopt, *named, *watched, *interpreted);
  return judgement;
}

Checked<std::monostate> Judge::time_tuned(const Built& built, const Variant& variant, Judgement& judgement) {
  for (const auto* workload : workloads(Role::Tune)) {
    auto times = timed(session_, built, variant, *workload, options_.final_runs);
    if (!times) return stop(std::move(times).error());
    if (auto believed = believable(*workload, *times); !believed) return stop(std::move(believed).error());
    judgement.times[workload->name] = std::move(*times);
  }
  if (judgement.times.empty()) return stop(Error("E-WORKLOAD", "the MEP has no tune workload", "add one to mep.toml"));
  judgement.verdict = judgement.times.begin()->second;
  return {};
}

Variant Judge::as_on_device(const Variant& variant) {
  const auto names = asked_macros(variant, mep_.source);
  if (names.empty() || variant.language != Language::OpenCL) return variant;
  const auto asked = [&](bool valued) -> std::vector<std::int32_t> {
    const Variant probe{variant.language, macro_probe(names, valued), {}, variant.options};
    auto& told = told_macros_[probe.source + join(probe.options, " ")];
    if (!told.empty()) return told;
    const auto built = session_.build(probe, false);
    Problem problem;
    BufferData buffer;
    buffer.name = "told";
    buffer.type = "int";
    buffer.count = 2 * names.size();
    buffer.fill = "zero";
    problem.buffers.push_back(std::move(buffer));
    problem.outputs = {"told"};
    ConcreteLaunch launch;
    launch.kernel = macro_probe_kernel;
    launch.arguments = {{ArgumentSpec::Kind::Buffer, "told", {}}};
    launch.global = launch.local = {1};
    problem.launches.push_back(std::move(launch));
    if (!built || !session_.load(problem)) return {};
    const auto ran = session_.run(*built, problem, problem.outputs);
    if (!ran || ran->outputs.at("told").size() != 2 * names.size() * sizeof(std::int32_t)) return {};
    told.resize(2 * names.size());
    std::memcpy(told.data(), ran->outputs.at("told").data(), told.size() * sizeof(std::int32_t));
    return told;
  };
  auto told = asked(true);
  if (told.empty()) told = asked(false);
  auto out = variant;
  if (!told.empty()) out.source = with_macros(variant.source, names, told);
  return out;
}

std::optional<std::string> Judge::found_at(const Workload& workload, const Variant& variant,
                                           const DeviceInfo& device) const {
  const auto look = [&](const Variant& one) -> std::optional<std::string> {
    const auto problem = concretise(mep_, workload, one.launches, device, options_.seed);
    const auto found = problem ? ports_.operations->glance(at_sizes(one, workload), *problem)
                               : Result<std::optional<std::string>>(std::nullopt);
    return found ? *found : std::nullopt;
  };
  auto found = look(variant);
  return found && !look(original(mep_)) ? found : std::nullopt;
}

static constexpr std::int64_t kInterpreted = std::int64_t{1} << 21U;

/// At the small size all of it; at the sizes it is tuned for, which it may know, what is looked at of a large launch:
/// races as well, since the device that watches them never comes there.
Checked<bool> Judge::watch_operations(const Variant& variant, const DeviceInfo& device,
                                      std::vector<std::string>& notes) const {
  auto watched = watch(Defence::Operations, ports_.operations, variant, device, notes);
  if (!watched || !*watched) return watched;
  for (const auto* workload : workloads(Role::Tune)) {
    // Of more data than is interpreted at all, as much as can be.
    if (auto found = found_at(smaller_workload(mep_, *workload, kInterpreted), variant, device))
      return stop(Verdict(Unsafe{std::string(name_of(Defence::Operations)), std::move(*found)}));
  }
  return watched;
}

std::optional<std::string> Judge::found_in_original(RaceChecker& checker, const Workload& workload,
                                                    const DeviceInfo& device, bool all) const {
  const auto k0 = original(mep_);
  const auto small = shrink(mep_, workload, k0, device);
  const auto problem = concretise(mep_, small, {}, device, options_.seed);
  if (!problem) return std::nullopt;
  const auto found = all ? checker.glance(at_sizes(k0, small), *problem) : checker.watch(at_sizes(k0, small), *problem);
  return found ? *found : std::nullopt;
}

Checked<bool> Judge::watch(Defence defence, RaceChecker* checker, const Variant& variant, const DeviceInfo& device,
                           std::vector<std::string>& notes) const {
  if (!on(defence) || checker == nullptr) return false;
  // The awkward workload has the edges; where there is none, the tune one is cut down as far as it goes.
  const auto* workload = find_workload(mep_, Role::Awkward);
  if (workload == nullptr) workload = find_workload(mep_, Role::Tune);
  const auto small = shrink(mep_, *workload, variant, device);
  auto problem = concretise(mep_, small, variant.launches, device, options_.seed);
  if (!problem) return stop(Verdict(Infeasible{problem.error().message()}));
  auto found = checker->watch(at_sizes(variant, small), *problem);
  // Who interprets sees most races too, and ends with an Error at one.
  if (!found && (defence == Defence::Races || defence == Defence::Operations) && ports_.operations != nullptr) {
    const auto instead = ports_.operations->glance(at_sizes(variant, small), *problem);
    if (instead && *instead && !found_in_original(*ports_.operations, *workload, device, true))
      return stop(Verdict(Unsafe{std::string(name_of(defence)), **instead}));
  }
  if (!found) {
    notes.push_back(fmt::format("not watched for {}: {}", name_of(defence), found.error().message()));
    return false;
  }
  if (!*found) return true;
  // An undefined operation that K(0) has too is no fault of the candidate's.
  if (defence == Defence::Operations) {
    if (const auto of_k0 = found_in_original(*checker, *workload, device, false)) {
      notes.push_back("K(0) itself has undefined operations: " + *of_k0);
      return false;
    }
  }
  return stop(Verdict(Unsafe{std::string(name_of(defence)), **found}));
}

/// Runtimes compile for a kernel and its group: the first launch of each is enough.
static std::vector<ConcreteLaunch> one_of_each(const std::vector<ConcreteLaunch>& launches) {
  std::vector<ConcreteLaunch> out;
  for (const auto& launch : launches) {
    const auto same = [&](const ConcreteLaunch& other) {
      return other.kernel == launch.kernel && other.local == launch.local;
    };
    if (std::ranges::none_of(out, same)) out.push_back(launch);
  }
  return out;
}

void Judge::prepare(const std::vector<Variant>& variants) {
  if (options_.in_background) reference_.begin();
  auto device = session_.device();
  const auto tunes = workloads(Role::Tune);
  if (!device || tunes.empty()) return;
  // What is launched beforehand is launched on the data of the first tune workload.
  const auto data = concretise(mep_, *tunes.front(), {}, **device, options_.seed);
  if (!data || !session_.load(*data)) return;
  std::vector<DeviceSession::BuildRequest> requests;
  for (const auto& variant : variants) {
    if (on(Defence::StaticGate) && gate(variant, original(mep_))) continue;
    DeviceSession::BuildRequest request{variant.source, at_sizes(variant, *tunes.front()).options, {}};
    if (auto problem = concretise(mep_, *tunes.front(), variant.launches, **device, options_.seed))
      request.launches = one_of_each(problem->launches);
    requests.push_back(std::move(request));
  }
  session_.prepare(requests);
}

}  // namespace hone::judge
