#include "app/measured_json.hpp"
#include "app/run_events.hpp"
#include "app/run_recording.hpp"

namespace hone::app {
namespace {

class ReplayingEvaluator final : public loop::Evaluator {
 public:
  ReplayingEvaluator(DeviceInfo device, EventReader& reader, SteppedClock& clock)
      : device_(std::move(device)), reader_(reader), clock_(clock) {}
  const DeviceInfo& device() const override { return device_; }
  Result<loop::Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>&) override {
    return taken<loop::Screened>(screen_key(variant), screened_from);
  }
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) override {
    return taken<Confirmation>(confirm_key(challenger, incumbent, everywhere), confirmation_from);
  }
  void prepare(const std::vector<Variant>&) override {
    if (const auto event = reader_.take("prepare")) clock_.set(event->at);
  }

 private:
  template <class T>
  Result<T> taken(const std::string& key, T (*from)(const nlohmann::json&)) {
    const auto event = reader_.take(key);
    if (!event)
      return fail("E-REPLAY", "this version tries something that was not measured then: " + key,
                  "--replay=measure takes the answers alone and measures again");
    clock_.set(event->at);
    try {
      return from(event->value);
    } catch (const nlohmann::json::exception& e) {
      return fail("E-REPLAY", key + " cannot be read: " + e.what());
    }
  }
  DeviceInfo device_;
  EventReader& reader_;
  SteppedClock& clock_;
};

class ReplayingLog final : public TrialLog {
 public:
  ReplayingLog(TrialLog& inner, EventReader& reader) : inner_(inner), reader_(reader) {}
  Result<std::string> open_run(const RunKey& key) override { return inner_.open_run(key); }
  Result<std::string> append(const Trial& trial, const VerdictKey& key) override { return inner_.append(trial, key); }
  Result<std::optional<LoggedTrial>> lookup(const VerdictKey& key) override {
    auto own = inner_.lookup(key);
    const auto* known = reader_.find(known_key(key));
    if (!own || *own || known == nullptr) return own;
    try {
      LoggedTrial out{known->value.at("id"), {}, key};
      out.trial.verdict = verdict_from(known->value.at("verdict"));
      out.trial.censored = known->value.at("censored");
      return std::optional(std::move(out));
    } catch (const nlohmann::json::exception& e) {
      return fail("E-REPLAY", std::string("what the log knew cannot be read: ") + e.what());
    }
  }
  Result<std::vector<LoggedTrial>> trials(const std::string& run) override { return inner_.trials(run); }
  Status record(const Pattern& pattern) override { return inner_.record(pattern); }
  Result<std::vector<Pattern>> patterns() override { return inner_.patterns(); }

 private:
  TrialLog& inner_;
  EventReader& reader_;
};

}  // namespace

struct RunReplayer::Parts {
  ReplayingEvaluator evaluator;
  ReplayingLog log;
};

RunReplayer::RunReplayer(EventReader reader, const DeviceInfo& device, TrialLog& log)
    : reader_(std::move(reader)),
      parts_(new Parts{ReplayingEvaluator(device, reader_, clock_), ReplayingLog(log, reader_)}) {}
RunReplayer::~RunReplayer() = default;

Result<std::unique_ptr<RunReplayer>> RunReplayer::open(const std::string& folder, const RecordedRun& run,
                                                       TrialLog& log) {
  auto reader = EventReader::open(folder + "/events.jsonl");
  if (!reader) return fail(std::move(reader).error());
  for (const auto& pattern : run.patterns)
    if (auto done = log.record(pattern); !done) return fail(std::move(done).error());
  return std::unique_ptr<RunReplayer>(new RunReplayer(std::move(*reader), run.device, log));
}

loop::Evaluator& RunReplayer::evaluator() { return parts_->evaluator; }
TrialLog& RunReplayer::log() { return parts_->log; }

void RunReplayer::exchanged(const std::string& key) {
  if (const auto event = reader_.take("exchange " + key)) clock_.set(event->at);
}

bool RunReplayer::arrived() {
  const auto event = reader_.take(arrival_key(++looked_));
  if (event) clock_.set(event->at);
  return event.has_value();
}

/// As many things had happened by then.
bool RunReplayer::stopped() const {
  const auto* stop = reader_.find("stop");
  return stop != nullptr && stop->value.is_number_unsigned() && reader_.taken() >= stop->value.get<std::size_t>();
}

}  // namespace hone::app
