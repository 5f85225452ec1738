#include "base/aside.hpp"

namespace hone {

Aside::~Aside() {
  while (is_busy()) go_on();
  if (thread_.joinable()) thread_.join();
}

void Aside::change(State state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  changed_.notify_all();
}

void Aside::start(std::function<void()> task) {
  if (thread_.joinable()) thread_.join();
  std::unique_lock lock(mutex_);
  state_ = State::Running;
  thread_ = std::thread([this, task = std::move(task)] {
    {
      const std::lock_guard here(mutex_);
      task_ = std::this_thread::get_id();
    }
    task();
    change(State::Idle);
  });
  changed_.wait(lock, [this] { return state_ != State::Running; });
}

bool Aside::is_busy() const {
  const std::lock_guard lock(mutex_);
  return state_ != State::Idle;
}

bool Aside::is_ready() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::Ready || state_ == State::Idle;
}

bool Aside::is_task() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::Running && task_ == std::this_thread::get_id();
}

void Aside::go_on() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return state_ != State::Waiting; });
  if (state_ == State::Idle) return;
  state_ = State::Running;
  changed_.notify_all();
  changed_.wait(lock, [this] { return state_ != State::Running; });
}

void Aside::give_turn() { change(State::Waiting); }

void Aside::take_turn() {
  std::unique_lock lock(mutex_);
  state_ = State::Ready;
  changed_.notify_all();
  changed_.wait(lock, [this] { return state_ == State::Running; });
}

}  // namespace hone
