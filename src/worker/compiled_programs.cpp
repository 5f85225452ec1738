#include "worker/compiled_programs.hpp"

#include <atomic>

namespace hone::worker {
namespace {

/// What a compiler compiles first, nobody waiting.
constexpr auto kFirst = "kernel void first(global int* a) { a[0] = 1; }\n";
constexpr Milliseconds kFirstLimit{60'000};

}  // namespace

CompiledPrograms::~CompiledPrograms() {
  for (auto& one : compilers_)
    if (one.getting_ready.joinable()) one.getting_ready.join();
}

void CompiledPrograms::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (is_useless_) return;
  }
  for (auto& one : compilers_) {
    {
      const std::unique_lock busy(one.busy, std::try_to_lock);
      if (!busy || one.connection) continue;
      auto opened = Connection::open(command_of(options_), options_.environment);
      if (!opened) return;
      one.connection = std::move(*opened);
    }
    if (one.getting_ready.joinable()) one.getting_ready.join();
    one.getting_ready = std::thread([this, &one] {
      // Whoever has it already gets it ready by himself.
      if (const std::unique_lock busy(one.busy, std::try_to_lock); busy) ready(one);
    });
  }
}

/// Opens the device and sees whether there is anything to be had.
bool CompiledPrograms::ready(Compiler& one) {
  if (one.is_ready || !one.connection) return one.is_ready;
  auto greeted = one.connection->ask(Hello{options_.device, options_.memory}, options_.start_limit);
  const auto* answer = std::get_if<Answer>(&greeted);
  if (answer != nullptr && std::holds_alternative<Welcome>(*answer)) {
    auto asked = one.connection->ask(Compile{kFirst, {}}, kFirstLimit);
    answer = std::get_if<Answer>(&asked);
    const auto* compiled = answer == nullptr ? nullptr : std::get_if<Compiled>(answer);
    one.is_ready = compiled != nullptr && !compiled->form.empty();
  }
  if (!one.is_ready) {
    one.connection.reset();
    const std::lock_guard lock(mutex_);
    is_useless_ = true;
  }
  return one.is_ready;
}

std::optional<CompiledPrograms::Outcome> CompiledPrograms::known(const std::string& hash) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(hash);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CompiledPrograms::Outcome> CompiledPrograms::of(const std::string& source,
                                                              const std::vector<std::string>& options,
                                                              Milliseconds limit) {
  if (auto found = known(source_hash(source, options))) return found;
  for (auto& one : compilers_)
    if (const std::unique_lock lock(one.busy, std::try_to_lock); lock) return compile(one, source, options, limit);
  const std::lock_guard lock(compilers_.front().busy);
  return compile(compilers_.front(), source, options, limit);
}

std::optional<CompiledPrograms::Outcome> CompiledPrograms::compile(Compiler& one, const std::string& source,
                                                                   const std::vector<std::string>& options,
                                                                   Milliseconds limit) {
  if (!ready(one)) return std::nullopt;
  auto asked = one.connection->ask(Compile{source, options}, limit);
  if (auto* lost = std::get_if<WorkerLost>(&asked)) {
    one.connection.reset();
    one.is_ready = false;
    if (lost->cause == WorkerLost::Cause::TimedOut) return Outcome(std::move(*lost));
    return std::nullopt;
  }
  auto& answer = std::get<Answer>(asked);
  std::optional<Outcome> outcome;
  if (auto* compiled = std::get_if<Compiled>(&answer); compiled != nullptr && !compiled->form.empty())
    outcome = std::move(compiled->form);
  if (auto* refused = std::get_if<NotBuilt>(&answer)) outcome = std::move(*refused);
  if (outcome) {
    const std::lock_guard lock(mutex_);
    known_.insert_or_assign(source_hash(source, options), *outcome);
  }
  return outcome;
}

CompiledForm CompiledPrograms::of(const std::vector<DeviceSession::BuildRequest>& requests, Milliseconds limit) {
  std::atomic<std::size_t> next = 0;
  std::mutex joining;
  CompiledForm all;
  const auto work = [&] {
    for (auto i = next++; i < requests.size(); i = next++) {
      auto outcome = of(requests[i].source, requests[i].options, limit);
      auto* form = outcome ? std::get_if<CompiledForm>(&*outcome) : nullptr;
      if (form == nullptr) continue;
      const std::lock_guard lock(joining);
      all.merge(*form);
    }
  };
  std::array<std::thread, std::tuple_size_v<decltype(compilers_)> - 1> others;
  for (auto& other : others) other = std::thread(work);
  work();
  for (auto& other : others) other.join();
  return all;
}

}  // namespace hone::worker
