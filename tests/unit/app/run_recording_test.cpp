#include "app/run_recording.hpp"

#include <gtest/gtest.h>

#include "app/measured_json.hpp"
#include "os/files.hpp"
#include "store/trial_store.hpp"

namespace hone::app {
namespace {

TEST(MeasuredJson, GivesBackEveryNumberOfAConfirmation) {
  Confirmation value;
  value.verdict = Timed{{Nanoseconds(0.1), Nanoseconds(1e9 / 3)}, {Nanoseconds(7)}};
  value.comparison.call = Comparison::Call::Faster;
  value.comparison.ratio = 1.0 / 3;
  value.workloads = {{"w", Role::Awkward, value.comparison, Timed{{Nanoseconds(2)}, {}}, Timed{}}};
  value.notes = {"n"};
  value.noise_floor = 0.01;
  const auto json = to_json(value);
  EXPECT_EQ(to_json(confirmation_from(nlohmann::json::parse(json.dump()))), json);
  EXPECT_TRUE(confirmation_from(json).proves_faster());
}

TEST(MeasuredJson, KeepsEachKindOfVerdict) {
  for (const Verdict& verdict :
       {Verdict(WrongOutput{"d", "r"}), Verdict(BuildFailed{"r"}), Verdict(LaunchFailed{"r"}), Verdict(Crashed{"r"}),
        Verdict(TimedOut{"r"}), Verdict(Unsafe{"d", "r"}), Verdict(Infeasible{"r"}), Verdict(Timed{})}) {
    const auto again = verdict_from(to_json(verdict));
    EXPECT_EQ(name_of(again), name_of(verdict));
    EXPECT_EQ(reason_of(again), reason_of(verdict));
    EXPECT_EQ(defence_of(again), defence_of(verdict));
  }
}

TEST(EventFile, HandsOutEventsOfOneKeyInOrderAndSkipsATornLine) {
  auto folder = os::TempFolder::make();
  const auto file = (folder->path() / "deep/events.jsonl").string();
  auto writer = EventWriter::create(file);
  ASSERT_TRUE(writer) << writer.error().text();
  writer->add("a", {Seconds(1), 10});
  writer->add("b", {Seconds(2), 20});
  writer->add("a", {Seconds(3), 30});
  std::ofstream(file, std::ios::app) << "{\"key\": \"a\", \"at\"";
  auto reader = EventReader::open(file);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->take("a")->value, 10);
  EXPECT_EQ(reader->take("a")->at, Seconds(3));
  EXPECT_FALSE(reader->take("a"));
  EXPECT_EQ(reader->taken(), 2U);
}

class OneTimeEvaluator final : public loop::Evaluator {
 public:
  const DeviceInfo& device() const override { return device_; }
  Result<loop::Screened> screen(const Variant&, const std::map<std::string, Nanoseconds>&) override {
    const Timed timed{{Nanoseconds(1000 + asked++)}, {}};
    return loop::Screened{timed, {{"tune", timed}}, false};
  }
  Result<Confirmation> confirm(const Variant&, const Variant&, bool) override { return Confirmation{}; }
  void prepare(const std::vector<Variant>&) override {}
  int asked = 0;

 private:
  DeviceInfo device_{"d", "device", "1", "cpu", {}};
};

TEST(RunRecording, PlaysBackWhatWasMeasuredWithTheSameClockAndKnowsWhenItCannot) {
  auto folder = os::TempFolder::make();
  const auto place = folder->path().string();
  auto log = store::open_trial_log(place + "/a.db");
  ASSERT_TRUE(log);
  OneTimeEvaluator evaluator;
  const Variant one{Language::OpenCL, "one", {}, {}}, two{Language::OpenCL, "two", {}, {}};
  Seconds end{0};
  {
    auto recorder = RunRecorder::create(place, evaluator, **log);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE((*recorder)->evaluator().screen(one, {}));
    ASSERT_TRUE((*recorder)->evaluator().screen(one, {}));
    end = (*recorder)->clock().now();
    EXPECT_FALSE((*recorder)->note_stop(false));
    EXPECT_TRUE((*recorder)->note_stop(true));
  }
  RecordedRun run;
  run.device = evaluator.device();
  auto empty = store::open_trial_log(place + "/b.db");
  auto replayer = RunReplayer::open(place, run, **empty);
  ASSERT_TRUE(replayer) << replayer.error().text();
  EXPECT_EQ((*replayer)->evaluator().screen(one, {})->times.at("tune").span.front(), Nanoseconds(1000));
  EXPECT_FALSE((*replayer)->stopped());
  EXPECT_EQ((*replayer)->evaluator().screen(one, {})->times.at("tune").span.front(), Nanoseconds(1001));
  EXPECT_DOUBLE_EQ((*replayer)->clock().now().count(), end.count());
  EXPECT_TRUE((*replayer)->stopped()) << "as the run was, then";
  EXPECT_EQ((*replayer)->evaluator().screen(two, {}).error().code(), "E-REPLAY");
}

TEST(RunRecording, KeepsWhatTheLogKnewFromBefore) {
  auto folder = os::TempFolder::make();
  const auto place = folder->path().string();
  auto log = store::open_trial_log(place + "/a.db");
  const VerdictKey before{"s", "", "w", "d", "1", "p"}, own{"t", "", "w", "d", "1", "p"};
  Trial trial;
  trial.run = *(*log)->open_run({"m", "o", 1, "d"});
  trial.verdict = BuildFailed{"syntax"};
  ASSERT_TRUE((*log)->append(trial, before));
  OneTimeEvaluator evaluator;
  {
    auto recorder = RunRecorder::create(place, evaluator, **log);
    ASSERT_TRUE((*recorder)->log().append(trial, own));
    ASSERT_TRUE(*(*recorder)->log().lookup(before));
    ASSERT_TRUE(*(*recorder)->log().lookup(own));
  }
  auto empty = store::open_trial_log(place + "/b.db");
  auto replayer = RunReplayer::open(place, {}, **empty);
  const auto known = (*replayer)->log().lookup(before);
  ASSERT_TRUE(known && *known);
  EXPECT_EQ(reason_of((*known)->trial.verdict), "syntax");
  EXPECT_FALSE(*(*replayer)->log().lookup(own)) << "what the run itself found out is found out again";
}

TEST(RunRecording, IsReadAsItWasWritten) {
  auto folder = os::TempFolder::make();
  RecordedRun run;
  run.mep.name = "m";
  run.mep.source = "__kernel void k() {}\n";
  run.mep.kernels = {{"k", {}}};
  run.mep.workloads = {{"tune", Role::Tune, {}, {Launch{"k", {}, {*Expression::parse("4")}, {}, {}}}}};
  run.device = {"opencl:0:0", "name", "1", "cpu", {{"compute_units", std::int64_t{2}}}};
  run.options.budget = "7s";
  run.options.candidates = 2;
  run.limits.applies = true;
  run.limits.kernels = {{"k", LaunchTier::Adapter, true, true, 1, "why", "where"}};
  run.patterns = {{"change", "code", "device", 2, 1.5, 2.5, "t", {}, ""}};
  ASSERT_TRUE(write_recorded(folder->path().string(), run));
  const auto again = read_recorded(folder->path().string());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->mep.source, run.mep.source);
  EXPECT_EQ(again->device.facts, run.device.facts);
  EXPECT_EQ(again->options.budget, "7s");
  EXPECT_EQ(again->limits, run.limits);
  ASSERT_EQ(again->patterns.size(), 1U);
  EXPECT_EQ(again->patterns[0].ratio, 2);
  EXPECT_EQ(read_recorded("/nowhere").error().code(), "E-REPLAY");
}

}  // namespace
}  // namespace hone::app
