#include "worker/client.hpp"

#include <optional>
#include <set>

#include "os/files.hpp"
#include "worker/compiled_programs.hpp"
#include "worker/connection.hpp"

namespace hone::worker {

std::vector<std::string> command_of(const WorkerOptions& options) {
  if (!options.command.empty()) return options.command;
  const auto beside = os::own_program().parent_path() / "hone-worker";
  return {std::filesystem::exists(beside) ? beside.string() : "hone-worker"};
}

namespace {

/// An answer of a kind that does not belong to the question is a fault of the worker, like a crash.
WorkerLost out_of_place(const Answer& answer) {
  if (const auto* refused = std::get_if<Refused>(&answer))
    return {WorkerLost::Cause::Crashed, "the worker refused: " + refused->message};
  return {WorkerLost::Cause::Crashed, "the worker answered something else than it was asked"};
}

/// Picks those alternatives of an answer that an outcome can hold.
template <class Outcome, class... Kinds>
Outcome pick(std::variant<Answer, WorkerLost> asked) {
  if (auto* lost = std::get_if<WorkerLost>(&asked)) return std::move(*lost);
  auto& answer = std::get<Answer>(asked);
  Outcome outcome = out_of_place(answer);
  ((std::holds_alternative<Kinds>(answer) ? void(outcome = std::move(std::get<Kinds>(answer))) : void()), ...);
  return outcome;
}

/// Of the very device; what is compiled for another is of no use.
std::shared_ptr<CompiledPrograms> compiled_for(const WorkerOptions& options) {
  return options.compiled != nullptr && options.compiled->is_for(options.device) ? options.compiled : nullptr;
}

class WorkerSession final : public DeviceSession {
 public:
  WorkerSession(Connection connection, DeviceInfo device, const WorkerOptions& options)
      : connection_(std::move(connection)),
        device_(std::move(device)),
        limit_(options.limit),
        compiled_(compiled_for(options)) {}

  const DeviceInfo& device() const override { return device_; }
  void limit(Milliseconds wall) override { limit_ = wall; }

  BuildOutcome build(const std::string& source, const std::vector<std::string>& options) override {
    if (auto settled = compiled_elsewhere(source, options)) return std::move(*settled);
    return pick<BuildOutcome, Built, NotBuilt>(connection_.ask(Build{source, options}, limit_));
  }

  std::vector<BuildOutcome> build_all(const std::vector<BuildRequest>& requests) override {
    const Milliseconds limit = limit_ * static_cast<double>(std::max<std::size_t>(requests.size(), 1));
    if (compiled_ != nullptr) provide(compiled_->of(requests, limit_));
    auto asked = connection_.ask(BuildAll{requests}, limit);
    std::vector<BuildOutcome> outcomes;
    auto* answer = std::get_if<Answer>(&asked);
    auto* done = answer != nullptr ? std::get_if<BuildsDone>(answer) : nullptr;
    if (done != nullptr && done->builds.size() == requests.size()) {
      for (auto& one : done->builds) std::visit([&](auto& outcome) { outcomes.emplace_back(std::move(outcome)); }, one);
      return outcomes;
    }
    const WorkerLost lost = answer != nullptr ? out_of_place(*answer) : std::get<WorkerLost>(asked);
    return std::vector<BuildOutcome>(requests.size(), lost);
  }

  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images) override {
    auto asked = connection_.ask(Load{buffers, images}, limit_);
    if (const auto* answer = std::get_if<Answer>(&asked); answer != nullptr && std::holds_alternative<Loaded>(*answer))
      return std::monostate{};
    return pick<LoadOutcome, NotLaunched>(std::move(asked));
  }

  RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                 const std::vector<std::string>& wanted) override {
    return pick<RunOutcome, Ran, NotLaunched>(connection_.ask(Run{build, launches, wanted}, limit_));
  }

  TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                   bool restore, const std::vector<std::string>& outputs) override {
    const auto before = connection_.processor_use();
    const auto start = os::now();
    auto outcome = pick<TimeOutcome, TimesTaken, NotLaunched>(
        connection_.ask(Time{build, launches, runs, restore, outputs}, limit_));
    if (auto* taken = std::get_if<TimesTaken>(&outcome)) {
      taken->wall = os::since(start);
      const auto used = connection_.processor_use() - before;
      taken->cpu = used.ran;
      if (device().kind == "cpu") taken->waiting = used.waited;
    }
    return outcome;
  }

  RunOutcome read(const std::vector<std::string>& wanted) override {
    return pick<RunOutcome, Ran, NotLaunched>(connection_.ask(Read{wanted}, limit_));
  }

  RunOutcome hashes(const std::vector<std::string>& wanted) override {
    return pick<RunOutcome, Ran, NotLaunched>(connection_.ask(Read{{}, wanted}, limit_));
  }

 private:
  /// What is known without building it here: that it does not compile, or not in time. Otherwise this process has its
  /// compiled form now, or compiles it.
  std::optional<BuildOutcome> compiled_elsewhere(const std::string& source, const std::vector<std::string>& options) {
    const auto hash = source_hash(source, options);
    if (compiled_ == nullptr || provided_.contains(hash)) return std::nullopt;
    auto outcome = compiled_->of(source, options, limit_);
    if (!outcome) return std::nullopt;
    if (auto* refused = std::get_if<NotBuilt>(&*outcome)) return std::move(*refused);
    if (auto* lost = std::get_if<WorkerLost>(&*outcome)) return std::move(*lost);
    provide(std::move(std::get<CompiledForm>(*outcome)));
    provided_.insert(hash);
    return std::nullopt;
  }
  void provide(CompiledForm form) {
    if (!form.empty()) connection_.ask(Provide{std::move(form)}, limit_);
  }

  Connection connection_;
  DeviceInfo device_;
  Milliseconds limit_;
  std::shared_ptr<CompiledPrograms> compiled_;
  std::set<std::string> provided_;  // by source hash
};

/// What goes wrong in the first exchange with a fresh worker is an error of the set-up, not of a candidate.
Result<Answer> welcome_of(std::variant<Answer, WorkerLost> asked) {
  if (const auto* lost = std::get_if<WorkerLost>(&asked))
    return fail("E-WORKER", "starting a worker: " + lost->reason, "hone devices");
  auto& answer = std::get<Answer>(asked);
  if (const auto* refused = std::get_if<Refused>(&answer)) return fail(refused->code, refused->message, "hone devices");
  return std::move(answer);
}

}  // namespace

Result<std::unique_ptr<DeviceSession>> WorkerSessions::start() {
  if (const auto compiled = compiled_for(options_)) compiled->begin();
  for (int tries = 0;; ++tries) {
    auto connection = Connection::open(command_of(options_), options_.environment);
    if (!connection) return fail(std::move(connection).error());
    auto asked = connection->ask(Hello{options_.device, options_.memory}, options_.start_limit);
    // No candidate has run in it yet: someone else ended it, and may not do so again.
    const auto* lost = std::get_if<WorkerLost>(&asked);
    if (lost != nullptr && lost->cause != WorkerLost::Cause::TimedOut && tries < 2) continue;
    auto answer = welcome_of(std::move(asked));
    if (!answer) return fail(std::move(answer).error());
    auto* welcome = std::get_if<Welcome>(&*answer);
    if (welcome == nullptr) return fail("E-WORKER", out_of_place(*answer).reason);
    return std::make_unique<WorkerSession>(std::move(*connection), std::move(welcome->device), options_);
  }
}

Result<Inventory> take_inventory(const WorkerOptions& options) {
  auto connection = Connection::open(command_of(options), options.environment);
  if (!connection) return fail(std::move(connection).error());
  auto answer = welcome_of(connection->ask(ListDevices{}, options.start_limit));
  if (!answer) return fail(std::move(answer).error());
  auto* devices = std::get_if<Devices>(&*answer);
  if (devices == nullptr) return fail("E-WORKER", out_of_place(*answer).reason);
  Inventory inventory{devices->devices, devices->sandbox};
  // Whether the memory limit holds is known once a device is open.
  answer = devices->devices.empty()
               ? std::move(answer)
               : welcome_of(connection->ask(Hello{options.device, options.memory}, options.start_limit));
  if (!answer) return fail(std::move(answer).error());
  if (const auto* welcome = std::get_if<Welcome>(&*answer)) inventory.sandbox = welcome->sandbox;
  return inventory;
}

}  // namespace hone::worker
