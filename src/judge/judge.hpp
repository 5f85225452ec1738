#pragma once
// From a Variant to a Verdict, in the parent. Three efforts:
//   screen   what a search asks of hundreds of candidates: the cheapest check that can reject comes first, few timed
//   runs judge    every check on every workload with several seeds: what must hold before a variant may be claimed
//   confirm  challenger against incumbent in two fresh workers, alternated: what a claim is made of
// Sessions that are lost are replaced; a Result is an Error only when the machinery or K(0) itself fails.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/confirmation.hpp"
#include "core/device_session.hpp"
#include "core/device_turns.hpp"
#include "core/mep.hpp"
#include "core/noise_floors.hpp"
#include "core/template.hpp"
#include "core/verdict.hpp"
#include "judge/defence.hpp"
#include "judge/fresh_worker.hpp"
#include "judge/own_check.hpp"
#include "judge/race_checker.hpp"
#include "judge/reference.hpp"
#include "judge/speed_limit.hpp"
#include "judge/statistics.hpp"
#include "judge/timed_outputs.hpp"

namespace hone::judge {

struct JudgeOptions {
  Defences defences = Defences::all();
  std::uint64_t seed = 1;
  std::size_t seeds = 3;          // contents tried on each workload
  std::size_t repeats = 3;        // runs of one problem that must agree
  std::size_t screen_runs = 3;    // timed runs of a screening
  std::size_t final_runs = 30;    // timed runs of a judgement, the papers' R
  double hopeless = 1.5;          // screening stops at a first run this much slower than the incumbent
  Milliseconds patience{20'000};  // of a request, or twenty times what K(0) takes when that is more
  double margin = 0.02;           // differences below are SAME
  std::size_t visit_runs = 2;     // runs of a short visit of a confirmation; every other one has twice as many
  Effort::Limits effort;
  double claim_within = 1.1;       // interval of a figure against K(0), as a ratio, worth some more pairs
  Seconds longest_comparison{10};  // what is unclear after this long on the tune workloads stays so
  bool in_background = false;      // what needs no device's turn is done beside what does
};

struct JudgePorts {
  RaceChecker* races = nullptr;
  RaceChecker* operations = nullptr;  // undefined ones; none: nobody interprets candidates
  DeviceTurns* turns = nullptr;
  /// K(0) with doubles for its floats, in its buffers too, where the IR could be rewritten so.
  std::optional<Variant> precise;
  OwnCheck* own_check = nullptr;  // a person's, in the place of the types' rule
  SpeedLimit* speed = nullptr;
  NoiseFloors* noise = nullptr;
  /// What the judge was not given, and why: told with its own notes.
  std::vector<std::string> notes;
};

struct Judgement {
  Verdict verdict;                     // of the check that rejected; else Timed on the first tune workload
  std::map<std::string, Timed> times;  // by workload
  bool censored = false;               // hopeless: the time is only known to be at least this
  std::vector<std::string> notes;
  std::vector<std::string> checks;  // that a judged variant passed, in words
};

class Judge {
 public:
  /// `sessions` and what `ports` points to outlive the judge.
  Judge(Mep mep, DeviceSessions& sessions, JudgeOptions options, JudgePorts ports);

  /// `incumbent`: its time by workload, for stopping early; may be empty.
  Result<Judgement> screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent);
  Result<Judgement> judge(const Variant& variant);
  /// Every check of judge() that needs no time, for devices whose times mean nothing: why the variant is out.
  Result<std::optional<Verdict>> refusal(const Variant& variant);
  /// On the tune workloads, and on the others when `everywhere`.
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere);
  /// What a claim needs: every check of judge(), then confirm(), and the noise floor beside them.
  Result<Confirmation> prove(const Variant& challenger, const Variant& incumbent, bool everywhere);
  /// Builds a batch on all cores before its members are screened one by one.
  void prepare(const std::vector<Variant>& variants);

  /// A small kernel against itself: how far from 1 the interval of the ratio reaches on this device in the state it is
  /// in. Kept where `ports` says, and measured only where nothing is kept.
  Result<double> noise_floor();
  Result<DeviceInfo> device() { return reference_.device(); }
  const Mep& mep() const { return mep_; }
  const std::vector<std::string>& notes() const { return reference_.notes(); }

 private:
  struct Case;
  struct Ready {
    Built built;
    Problem problem;
  };
  /// A problem that was answered right, and how long that took with cold caches.
  struct Passed {
    Problem problem;
    Built built;  // for this very workload
    Nanoseconds first_pass{0};
    bool is_k0_alike = false;  // all outputs are K(0)'s to the bit
  };
  using Times = std::map<std::string, Timed>;
  Result<Judgement> believed(const std::function<Checked<Judgement>()>& attempt);
  Checked<Judgement> screen_once(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent);
  std::vector<Case> cases_of_judgement() const;
  Stop by_what_it_is_for(Stop failed, const Built& built, const Variant& variant, const Case& test);
  /// `beside`: other work may go on meanwhile, since its times are not what a claim is made of.
  Checked<Judgement> judge_once(const Variant& variant, bool beside, bool timed = true);
  /// Every check of judge(), made once for one variant; nothing when it was made before.
  Result<std::optional<Judgement>> passed_all(const Variant& variant, const Variant& incumbent, FreshPair& fresh);
  /// Both sides start to be built, where that goes on in the background.
  void begin(FreshPair& fresh, const Variant& challenger, const Variant& incumbent);
  Checked<std::monostate> time_tuned(const Built& built, const Variant& variant, Judgement& judgement);
  Checked<Built> admit(RenewingSession& session, const Variant& variant);
  Checked<Problem> problem_of(const Case& test, const Variant& variant, RenewingSession& session);
  Checked<Problem> loaded(RenewingSession& session, const Variant& variant, const Case& test);
  Checked<Passed> check(RenewingSession& session, const Built& built, const Variant& variant, const Case& test);
  Checked<Ran> run_and_look(RenewingSession& session, const Built& built, const Problem& problem,
                            const Expected& expected, bool inputs);
  bool compares_hashes() const;
  /// With every word of the machinery; check() leaves out what tells a held-out size.
  Checked<Passed> check_openly(RenewingSession& session, const Built& built, const Variant& variant, const Case& test);
  /// By the person's own check, where there is one.
  std::optional<Verdict> refused(const Ran& ran, const Expected& expected, const Case& test) const;
  Checked<Built> built_for(RenewingSession& session, const Built& built, const Variant& variant,
                           const Workload& workload);
  std::optional<Verdict> compare(const Ran& ran, const Expected& expected, const Case& test) const;
  std::optional<Verdict> compare_one(const std::string& name, const Bytes8& got, const Expected& expected,
                                     const Case& test) const;
  Checked<Timed> timed(RenewingSession& session, const Built& built, const Variant& variant, const Workload& workload,
                       std::size_t runs);
  Checked<TimedOutputs> timed_outputs(const Problem& problem, const Case& test);
  Case case_for_timing(const Workload& workload, std::uint64_t fresh);
  struct OtherContents {
    ContentsShape shape;
    Workload workload;  // with the shape's scalars
  };
  std::vector<OtherContents> other_contents_of_k0();
  Checked<std::monostate> try_other_contents(const Built& built, const Variant& variant);
  /// At sizes its own text names. How many were tried.
  Checked<std::size_t> try_named_sizes(const Built& built, const Variant& variant);
  bool is_defined_at(const Workload& workload);
  /// Why K(0) cannot be asked about such contents; nothing when it can.
  std::optional<std::string> undefined_on(const ContentsShape& shape, const Workload& workload);
  /// As the device's preprocessor reads it, for those who watch it elsewhere.
  Variant as_on_device(const Variant& variant);
  Checked<bool> watch_operations(const Variant& variant, const DeviceInfo& device,
                                 std::vector<std::string>& notes) const;
  /// What whoever interprets finds of a candidate and not of K(0) in some groups.
  std::optional<std::string> found_at(const Workload& workload, const Variant& variant, const DeviceInfo& device) const;
  /// Whether it was watched, for what `defence` is there for.
  Checked<bool> watch(Defence defence, RaceChecker* checker, const Variant& variant, const DeviceInfo& device,
                      std::vector<std::string>& notes) const;
  /// What is found of K(0) on a small version of the workload.
  std::optional<std::string> found_in_original(RaceChecker& checker, const Workload& workload, const DeviceInfo& device,
                                               bool all) const;
  /// A size nobody saw, drawn for this very source. Nothing where the contract allows no other.
  std::optional<Workload> drawn_for(const Variant& variant) const;
  std::vector<std::string> checks_made(const std::optional<Workload>& drawn, std::size_t named, bool watched,
                                       bool interpreted) const;
  Result<double> measure_noise_floor();
  std::vector<std::string> checks_of_comparison(const Comparison& comparison) const;
  Checked<std::monostate> believable(const Workload& workload, const Timed& timed);
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, const std::vector<Role>& roles,
                               FreshPair fresh);
  Checked<Confirmation> confirm_once(const Variant& challenger, const Variant& incumbent,
                                     const std::vector<Role>& roles, RenewingSession& challengers,
                                     RenewingSession& incumbents);
  Checked<WorkloadComparison> compare_on(RenewingSession& challengers, RenewingSession& incumbents,
                                         const Variant& challenger, const Variant& incumbent, const Workload& workload,
                                         std::vector<std::string>& notes);
  Seconds patience_on(const Workload& workload) const;
  Checked<Ready> make_ready(RenewingSession& session, const Variant& variant, const Case& test);
  std::vector<const Workload*> workloads(Role role) const;
  void be_patient(RenewingSession& session, const Expected& expected, std::size_t runs) const;
  /// A process that has just started has seen no contents at all: there the same ones are always fresh, and what K(0)
  /// answers to them need not be found out again.
  std::uint64_t contents_of_comparison() { return on(Defence::FreshWorkers) ? options_.seed + 999 : fresh_seed(); }
  std::uint64_t fresh_seed() { return options_.seed + 1000 + fresh_++; }
  bool on(Defence defence) const { return options_.defences.has(defence); }
  bool restores(const Problem& problem) const {
    return problem.changes_inputs || on(Defence::PoisonedOutputs) || on(Defence::OldResults);
  }

  const Mep mep_;
  DeviceSessions& sessions_;
  const JudgeOptions options_;
  const JudgePorts ports_;
  Reference reference_;
  RenewingSession session_;
  std::uint64_t fresh_ = 0;
  std::optional<std::vector<OtherContents>> others_;                      // that K(0) stays defined and finite on
  std::map<std::string, std::vector<std::int32_t>> told_macros_;          // by the probe's text and options
  std::map<std::string, Judgement> passed_;                               // by variant: what passed every check
  std::map<std::pair<std::string, std::string>, Confirmation> compared_;  // on the tune workloads, by both variants
};

}  // namespace hone::judge
