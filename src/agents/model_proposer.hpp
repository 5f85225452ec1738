#pragma once
// A language model as a Proposer. It is asked for one candidate at a time; an answer that cannot be used, or that was
// given before, goes back with the reason; what failed goes back to be mended. A model that is silent or talks nonsense
// costs its own candidates, never the run.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "agents/prompts.hpp"
#include "agents/repairs.hpp"
#include "core/language_model.hpp"
#include "core/proposer.hpp"

namespace hone::agents {

struct ModelOptions {
  Seconds timeout{600};        // for one answer
  bool plan = false;           // ask for directions first, once a round
  RuleForms rules;             // that a schedule in an answer may use
  int rounds = 6;              // D: rounds it is asked in at most
  std::size_t candidates = 3;  // N: candidates of a round at most
  bool templates = true;       // parameters are searched; else each answer is its default alone
  bool inherit = true;         // what paid off before is told
  bool profile = true;         // what was measured and analysed is told
  int most_returns = 1;        // how often one answer that cannot be used goes back
  int most_failures = 3;       // calls that brought nothing in a row: then the model is left alone
  /// What a template does that the original does not, in words; empty: nobody can tell, so every repair is taken.
  std::function<std::set<std::string>(const Template&)> transformations = {};
};

/// A direction that was planned, and what came of it.
struct Planned {
  int round = 0;
  Direction direction;
  std::string template_name;  // what answered it; empty when nothing did
};

/// An answer said that it follows a pattern.
struct Citation {
  std::string template_name;
  std::string trial;  // that proves the pattern
};

class ModelProposer : public Proposer {
 public:
  ModelProposer(LanguageModel& model, ModelOptions options) : model_(model), options_(std::move(options)) {}

  std::string name() const override { return "model:" + model_.name(); }
  Result<std::vector<Template>> propose(const RoundContext& context) override;
  Result<std::optional<Template>> repair(const RoundContext& context, const Fault& fault) override;
  std::vector<std::string> declined() const override;
  const std::vector<Citation>& citations() const { return citations_; }
  bool answers_one_by_one() const override { return true; }
  bool waits_elsewhere() const override { return model_.is_elsewhere(); }
  bool has_more() const override;

 private:
  /// Which candidate a question is about, however often it is asked about.
  struct Place {
    int round = 0;
    int slot = 0;
    bool operator<(const Place& other) const { return std::tie(round, slot) < std::tie(other.round, other.slot); }
  };
  RoundContext told(RoundContext context) const;
  Result<Reply> ask(const std::string& prompt, const std::string& role, Place place);
  /// One answer, which goes back while it cannot be used. Empty when the model has nothing more; several are points of
  /// one template.
  Result<std::vector<Template>> ask_for_templates(const std::string& prompt, const std::string& role, Place place,
                                                  const RoundContext& context, const std::string& name);
  Result<std::vector<Template>> usable(const Reply& reply, const RoundContext& context, const std::string& name);
  /// Those of them that are new; the name of an old one when none is.
  Result<std::vector<Template>> new_ones(std::vector<Template> values);
  void note_citations(const Reply& reply, const RoundContext& context, const Template& value);
  void plan(const RoundContext& context);
  Direction direction_for(const RoundContext& context, int slot) const;
  /// The name of the same template given before; nothing when it is new.
  std::optional<std::string> given_before(const Template& value);
  bool is_alone() const { return failures_ >= options_.most_failures || spent_; }
  void decline(const std::string& where, const std::string& why);

  LanguageModel& model_;
  ModelOptions options_;
  std::vector<std::string> declined_;
  std::map<std::string, std::string> seen_;  // content of templates already given -> name
  std::map<Place, int> attempts_;
  std::map<std::string, Place> places_;                     // of templates, by name
  std::map<std::string, std::vector<std::string>> failed_;  // by the name first proposed: what repairs ran into
  std::vector<Planned> tree_;
  std::vector<Citation> citations_;
  std::map<std::string, RepairCount> repairs_;  // by the kind of fault
  std::set<int> rounds_;
  std::string nothing_more_for_;  // the incumbent it had nothing more for
  bool nothing_more_ = false;
  bool spent_ = false;  // the limits of the run allow no more questions
  int failures_ = 0;
};

}  // namespace hone::agents
