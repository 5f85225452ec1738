#include <set>

#include "app/measured_json.hpp"
#include "app/run_events.hpp"
#include "app/run_recording.hpp"
#include "app/setting.hpp"

namespace hone::app {

std::string screen_key(const Variant& variant) { return "screen " + hash_of(variant); }
std::string confirm_key(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  return "confirm " + hash_of(challenger) + " " + hash_of(incumbent) + (everywhere ? " everywhere" : "");
}
std::string arrival_key(std::size_t looked) { return "arrived " + std::to_string(looked); }
std::string known_key(const VerdictKey& key) { return "known " + hash_of(key); }

namespace {

class RecordingEvaluator final : public loop::Evaluator {
 public:
  RecordingEvaluator(loop::Evaluator& inner, EventWriter& writer, SteppedClock& clock)
      : inner_(inner), writer_(writer), clock_(clock) {}
  const DeviceInfo& device() const override { return inner_.device(); }
  Result<loop::Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) override {
    auto screened = inner_.screen(variant, incumbent);
    const auto at = clock_.step();
    if (screened) writer_.add(screen_key(variant), {at, to_json(*screened)});
    return screened;
  }
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) override {
    auto confirmed = inner_.confirm(challenger, incumbent, everywhere);
    const auto at = clock_.step();
    if (confirmed) writer_.add(confirm_key(challenger, incumbent, everywhere), {at, to_json(*confirmed)});
    return confirmed;
  }
  void prepare(const std::vector<Variant>& variants) override {
    inner_.prepare(variants);
    writer_.add("prepare", {clock_.step(), nullptr});
  }

 private:
  loop::Evaluator& inner_;
  EventWriter& writer_;
  SteppedClock& clock_;
};

/// What the log knows from earlier is an answer like a measurement; what this run itself put there is not.
class RecordingLog final : public TrialLog {
 public:
  RecordingLog(TrialLog& inner, EventWriter& writer, SteppedClock& clock)
      : inner_(inner), writer_(writer), clock_(clock) {}
  Result<std::string> open_run(const RunKey& key) override { return inner_.open_run(key); }
  Result<std::string> append(const Trial& trial, const VerdictKey& key) override {
    own_.insert(hash_of(key));
    return inner_.append(trial, key);
  }
  Result<std::optional<LoggedTrial>> lookup(const VerdictKey& key) override {
    auto found = inner_.lookup(key);
    if (found && *found && own_.insert(hash_of(key)).second)
      writer_.add(known_key(key), {clock_.now(),
                                   {{"id", (*found)->id},
                                    {"verdict", to_json((*found)->trial.verdict)},
                                    {"censored", (*found)->trial.censored}}});
    return found;
  }
  Result<std::vector<LoggedTrial>> trials(const std::string& run) override { return inner_.trials(run); }
  Status record(const Pattern& pattern) override { return inner_.record(pattern); }
  Result<std::vector<Pattern>> patterns() override { return inner_.patterns(); }

 private:
  TrialLog& inner_;
  EventWriter& writer_;
  SteppedClock& clock_;
  std::set<std::string> own_;
};

}  // namespace

struct RunRecorder::Parts {
  RecordingEvaluator evaluator;
  RecordingLog log;
};

RunRecorder::RunRecorder(EventWriter writer, loop::Evaluator& evaluator, TrialLog& log)
    : clock_(steady_now),
      writer_(std::move(writer)),
      parts_(new Parts{RecordingEvaluator(evaluator, writer_, clock_), RecordingLog(log, writer_, clock_)}) {}
RunRecorder::~RunRecorder() = default;

Result<std::unique_ptr<RunRecorder>> RunRecorder::create(const std::string& folder, loop::Evaluator& evaluator,
                                                         TrialLog& log) {
  auto writer = EventWriter::create(folder + "/events.jsonl");
  if (!writer) return fail(std::move(writer).error());
  return std::unique_ptr<RunRecorder>(new RunRecorder(std::move(*writer), evaluator, log));
}

loop::Evaluator& RunRecorder::evaluator() { return parts_->evaluator; }
TrialLog& RunRecorder::log() { return parts_->log; }

void RunRecorder::exchanged(const std::string& key) { writer_.add("exchange " + key, {clock_.step(), nullptr}); }

bool RunRecorder::note_arrival(bool is_there) {
  ++looked_;
  if (is_there) writer_.add(arrival_key(looked_), {clock_.step(), nullptr});
  return is_there;
}

bool RunRecorder::note_stop(bool asked) {
  if (asked && !stop_noted_) {
    writer_.add("stop", {clock_.now(), writer_.count()});
    stop_noted_ = true;
  }
  return asked;
}

}  // namespace hone::app
