// evaluations MEP TEMPLATE [--runs N] [--batch N]: screens every configuration of a template as a search would, logs
// each trial, and prints evaluations per second and what Hone itself adds to the time spent in the worker.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>

#include "core/format.hpp"
#include "judge/judge.hpp"
#include "os/files.hpp"
#include "store/trial_store.hpp"
#include "worker/client.hpp"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

/// Counts the time between a request and its answer.
class TimedSession final : public DeviceSession {
  template <class Work>
  auto timed(const Work& work) {
    const auto start = Clock::now();
    auto outcome = work();
    inside_ += Clock::now() - start;
    return outcome;
  }

 public:
  TimedSession(std::unique_ptr<DeviceSession> real, Seconds& inside) : real_(std::move(real)), inside_(inside) {}
  const DeviceInfo& device() const override { return real_->device(); }
  void limit(Milliseconds wall) override { real_->limit(wall); }
  BuildOutcome build(const std::string& source, const std::vector<std::string>& options) override {
    return timed([&] { return real_->build(source, options); });
  }
  std::vector<BuildOutcome> build_all(const std::vector<BuildRequest>& requests) override {
    return timed([&] { return real_->build_all(requests); });
  }
  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images) override {
    return timed([&] { return real_->load(buffers, images); });
  }
  RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                 const std::vector<std::string>& wanted) override {
    return timed([&] { return real_->run(build, launches, wanted); });
  }
  TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                   bool restore, const std::vector<std::string>& outputs) override {
    return timed([&] { return real_->time(build, launches, runs, restore, outputs); });
  }
  RunOutcome read(const std::vector<std::string>& wanted) override {
    return timed([&] { return real_->read(wanted); });
  }

 private:
  std::unique_ptr<DeviceSession> real_;
  Seconds& inside_;
};

class TimedSessions final : public DeviceSessions {
 public:
  explicit TimedSessions(DeviceSessions& real) : real_(real) {}
  Result<std::unique_ptr<DeviceSession>> start() override {
    const auto begun = Clock::now();
    auto session = real_.start();
    inside += Clock::now() - begun;
    if (!session) return session;
    return std::make_unique<TimedSession>(std::move(*session), inside);
  }
  Seconds inside{0};

 private:
  DeviceSessions& real_;
};

void add_configurations(const Space& space, std::size_t at, Configuration& so_far, std::vector<Configuration>& out) {
  if (at == space.parameters.size()) {
    out.push_back(so_far);
    return;
  }
  for (const auto& value : space.parameters[at].values) {
    so_far[space.parameters[at].name] = value;
    add_configurations(space, at + 1, so_far, out);
  }
}

struct Options {
  std::string mep, candidate;
  std::size_t runs = 7, batch = 8;
};

int failed(const Error& error) {
  fmt::print(stderr, "{}\n", error.text());
  return 2;
}

int evaluate(const Options& options) {
  const auto mep = mep_from_files(os::read_folder(options.mep).value(), options.mep);
  if (!mep) return failed(mep.error());
  const auto candidate = template_from_files(os::read_folder(options.candidate).value(), options.candidate);
  if (!candidate) return failed(candidate.error());
  std::vector<Configuration> configurations;
  Configuration none;
  add_configurations(candidate->space, 0, none, configurations);
  const auto scratch = os::TempFolder::make("hone-evaluations");
  if (!scratch) return failed(scratch.error());
  auto log = store::open_trial_log((scratch->path() / "trials.db").string());
  if (!log) return failed(log.error());

  worker::WorkerSessions real{worker::WorkerOptions{}};
  TimedSessions sessions(real);
  judge::JudgeOptions judging;
  judging.screen_runs = options.runs;
  const auto start = Clock::now();
  judge::Judge judge(*mep, sessions, judging, {});
  const auto device = judge.device();
  if (!device) return failed(device.error());
  const auto run = (*log)->open_run({"bench", "", 1, device->name});
  if (!run) return failed(run.error());
  std::size_t right = 0;
  for (std::size_t at = 0; at < configurations.size(); at += options.batch) {
    std::vector<Variant> batch;
    for (std::size_t i = at; i < std::min(at + options.batch, configurations.size()); ++i)
      batch.push_back(instantiate_source(*candidate, configurations[i]).value());
    judge.prepare(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto judged = judge.screen(batch[i], {});
      if (!judged) return failed(judged.error());
      right += std::holds_alternative<Timed>(judged->verdict) ? 1 : 0;
      Trial trial;
      trial.run = *run;
      trial.variant = hash_of(batch[i]);
      trial.configuration = configurations[at + i];
      trial.verdict = judged->verdict;
      const auto logged = (*log)->append(
          trial, {trial.variant, "", "tune", device->name, device->driver, "screen-" + std::to_string(options.runs)});
      if (!logged) return failed(logged.error());
    }
  }
  const Seconds took = Clock::now() - start;
  const auto count = static_cast<double>(configurations.size());
  fmt::print("hone: {} of {} right, {:.1f} s, {:.2f} evaluations/s; {:.2f} ms of Hone's own a trial\n", right,
             configurations.size(), took.count(), count / took.count(),
             (took - sessions.inside).count() * 1000 / count);
  fmt::print(
      "  each: checked on the tune and an awkward size, {} timed runs, logged; built {} at a time; start included\n",
      options.runs, options.batch);
  return right == configurations.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Evaluations per second of a template's configurations");
  Options options;
  cli.add_option("mep", options.mep, "A MEP folder")->required();
  cli.add_option("template", options.candidate, "A template folder")->required();
  cli.add_option("--runs", options.runs, "Timed runs of each configuration")->capture_default_str();
  cli.add_option("--batch", options.batch, "Variants built at once")->capture_default_str();
  CLI11_PARSE(cli, argc, argv);
  return evaluate(options);
}
