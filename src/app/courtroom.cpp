#include "app/courtroom.hpp"

#include "os/files.hpp"
#include "store/device_lock.hpp"

namespace hone::app {
namespace {

worker::WorkerOptions watched(worker::WorkerOptions options) {
  options.device.clear();
  options.environment = judge::oclgrind_environment();
  return options;
}

}  // namespace

Courtroom::Courtroom(const DeviceChoice& choice) : sessions_(choice.options()), watched_(watched(choice.options())) {}

Result<std::unique_ptr<Courtroom>> Courtroom::open(const Mep& mep, const DeviceChoice& choice, std::uint64_t seed) {
  const auto state = state_folder();
  if (!state) return fail(state.error());
  std::unique_ptr<Courtroom> room(new Courtroom(choice));
  room->turns_ = store::device_turns(*state, choice.device.empty() ? "first" : choice.device);
  judge::JudgeOptions options;
  options.seed = seed;
  judge::JudgePorts ports;
  ports.turns = room->turns_.get();
  // A worker elsewhere may not have oclgrind; one here is worth asking.
  if (choice.worker.empty() && !os::find_program("oclgrind").empty())
    ports.races = &room->watcher_.emplace(room->watched_);
  room->judge_.emplace(mep, room->sessions_, options, ports);
  auto device = room->judge_->device();
  if (!device) return fail(std::move(device).error());
  room->device_ = std::move(*device);
  return room;
}

}  // namespace hone::app
