#pragma once
// One run of the loop: what its parts share. rounds.cpp is the flow, run_propose.cpp and run_ask.cpp ask and mend,
// run_aside.cpp asks who is elsewhere meanwhile, run_claim.cpp confirms and proves, run_shapes.cpp looks for
// configurations by size.

#include <deque>
#include <optional>

#include "loop/rounds.hpp"
#include "loop/tuning.hpp"

namespace hone::loop {

class Run {
 public:
  Run(const Mep& mep, const LoopOptions& options, const Ports& ports);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run();
  Result<Outcome> all();

 private:
  // The flow
  Status measure_original();
  Status one_round();
  Status tune(bool more_to_come);
  Status tune_while_asking(const RoundContext& known);
  std::optional<std::string> why_over() const;
  Seconds needed_at_the_end() const;
  /// There is no further round to begin.
  bool are_rounds_over() const { return options_.rounds > 0 && state_.round >= options_.rounds; }
  bool is_over() const { return ports_.stop() || why_over().has_value(); }
  bool unfinished() const;
  void learn(const Variant& variant, const std::map<std::string, Timed>& times);
  void tell();
  void show(const std::string& doing);
  double of_least(double figure) const;

  // Proposals
  RoundContext what_is_known() const;
  std::size_t affordable() const;
  std::size_t ask_proposers(const RoundContext& known);
  Status ask_one_by_one();
  // Questions to somebody elsewhere, while this machine measures
  struct Asked {
    Proposer* proposer = nullptr;
    std::size_t slots = 0, slot = 0;
    RoundContext known;                // what the present question is based on
    std::deque<std::size_t> faulty;    // tunings that are to be mended
    std::optional<std::size_t> mends;  // the one that the present question is about
    Result<std::vector<Template>> templates = std::vector<Template>();
    Result<std::optional<Template>> remedy = std::optional<Template>();
    bool over = false;
  };
  void ask_aside();
  void ask_next();
  bool is_asking() const { return asked_ && !asked_->over; }
  bool is_to_be_mended(const Tuning& tuning) const;
  void let_it_answer();
  Status hear();
  Status hear_out();
  Status take_answer();
  Status look_aside(std::size_t index);
  void add_or_mend(const RoundContext& known, const Template& proposed, const std::string& proposer);
  bool somebody_has_more() const;
  std::vector<Parent> parents() const;
  std::string budget_left() const;
  bool add(const Template& proposed, const std::string& proposer, int repairs);
  Status look_at_new(const RoundContext& known, std::size_t first);
  Status look_and_mend(const RoundContext& known, std::size_t index);
  bool replace(std::size_t index, const Template& fixed);
  bool asks_aside(const Proposer& proposer) const;
  std::optional<Template> repaired(const RoundContext& known, const Fault& fault, const Tuning& of);
  Attempt attempt_of(const Tuning& tuning) const;
  std::vector<Attempt> attempts() const;
  void refuse_fault(const Tuning& tuning);
  void refuse(const std::string& who, const std::string& why);

  // Claims
  Tuning* leader();
  const Tuning* leader() const;
  Result<Tuning*> settled_leader(double least_gain);
  bool is_ahead(const Tuning* tuning, double least_gain) const;
  bool affords_another() const;
  Seconds grace() const;
  Status claim(const RoundContext& known, double least_gain, std::size_t tries);
  Result<bool> challenge(const RoundContext& known, Tuning& best);
  Status offer_repair(const RoundContext& known, const Fault& fault, const Tuning& of);
  Result<std::string> log_confirmation(const Tuning& tuning, const Confirmation& confirmed);
  void accept(const Tuning& tuning, const Confirmation& confirmed, const std::string& trial);
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere);
  Status prove();

  // Several tune workloads
  bool has_several_shapes() const;
  Status look_at_shapes();
  Result<ShapeResults> results_by_shape();
  const Tuning* tuning_of_winner() const;

  /// Proven faster than the one before it; the first is K(0).
  struct Proven {
    Incumbent incumbent;
    Template made_of;
    double figure = 0;  // as screened
  };
  const Proven& best_proven() const { return proven_.back(); }
  bool is_incumbent(const Variant& variant) const { return best_proven().incumbent.variant == variant; }

  const Mep& mep_;
  const LoopOptions& options_;
  const Ports& ports_;
  std::optional<TimeLedger> own_ledger_;
  TimeLedger& ledger_;
  Allowance allowance_;
  ProgressState state_;
  TuningContext context_;
  Outcome outcome_;
  Profile profile_;  // of the incumbent
  Advice advice_;
  std::vector<Proven> proven_;
  std::deque<Tuning> tunings_;
  std::deque<std::pair<Template, std::string>> waiting_;  // proposed, more than a round can look at
  std::vector<Attempt> replaced_;                         // what became of templates that are not tuned (any more)
  std::vector<Template> seen_;
  std::optional<Asked> asked_;
  Seconds confirmation_{0};   // what the latest one took
  bool nothing_new_ = false;  // the latest round brought no template
};

}  // namespace hone::loop
