#pragma once
// A run as a folder that can be replayed: the MEP, the device as it was, the options, every answer of a model, and
// everything that was measured. Written while a run goes on; read by --replay, which needs neither device nor network.
//
//   recording.json   device, ceilings, patterns, options, limits      mep/         the MEP's manifest and kernel
//   exchanges/       one file per answer, by round, slot, attempt     templates/   a person's, when there were some
//   events.jsonl     what was measured, and when

#include <memory>
#include <optional>
#include <string>

#include "app/event_file.hpp"
#include "app/improve.hpp"
#include "app/stepped_clock.hpp"
#include "core/ceilings.hpp"
#include "core/trial_log.hpp"
#include "loop/ports.hpp"

namespace hone::app {

/// What a recording says beside its events.
struct RecordedRun {
  Mep mep;
  DeviceInfo device;
  Ceilings ceilings;
  std::vector<Pattern> patterns;  // known when the run began
  std::vector<Template> templates;
  ImproveOptions options;  // those that decide what is tried
  PatchLimits limits;
  patterns::PatternUses uses = {};  // how patterns had fared when the run began
};
Status write_recorded(const std::string& folder, const RecordedRun& run);
/// E-REPLAY when the folder holds none.
Result<RecordedRun> read_recorded(const std::string& folder);

/// $STATE/recordings/ID-DEVICE: where a run is recorded when nobody says where.
Result<std::string> recording_folder(const RunKey& key);
/// $STATE/recordings/completed-ID: where a model's answers to what a kernel is called with are kept.
Result<std::string> completion_folder(const std::string& identity);
/// The newest one for these options, on whatever device it was made.
Result<std::string> newest_recording(const RunKey& key);

/// Writes down what a run asks of the device and the log.
class RunRecorder {
 public:
  static Result<std::unique_ptr<RunRecorder>> create(const std::string& folder, loop::Evaluator& evaluator,
                                                     TrialLog& log);
  ~RunRecorder();
  loop::Evaluator& evaluator();
  TrialLog& log();
  SteppedClock& clock() { return clock_; }
  void exchanged(const std::string& key);
  /// Somebody elsewhere is asked while this machine measures.
  void note_aside() { writer_.add("aside", {clock_.now(), nullptr}); }
  /// Remembers after how many questions an answer was there.
  bool note_arrival(bool is_there);
  /// Remembers when the run was told to stop.
  bool note_stop(bool asked);

 private:
  RunRecorder(EventWriter writer, loop::Evaluator& evaluator, TrialLog& log);
  struct Parts;
  SteppedClock clock_;
  EventWriter writer_;
  bool stop_noted_ = false;
  std::size_t looked_ = 0;  // how often it was asked whether an answer is there
  std::unique_ptr<Parts> parts_;
};

/// Plays the device and the log of a recorded run.
class RunReplayer {
 public:
  /// `log`: an empty one, which takes what the run appends.
  static Result<std::unique_ptr<RunReplayer>> open(const std::string& folder, const RecordedRun& run, TrialLog& log);
  ~RunReplayer();
  loop::Evaluator& evaluator();
  TrialLog& log();
  SteppedClock& clock() { return clock_; }
  void exchanged(const std::string& key);
  bool arrived();
  bool was_asked_aside() { return reader_.take("aside").has_value(); }
  bool stopped() const;

 private:
  RunReplayer(EventReader reader, const DeviceInfo& device, TrialLog& log);
  struct Parts;
  SteppedClock clock_;
  std::size_t looked_ = 0;
  EventReader reader_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hone::app
