#pragma once
// A task that waits for something elsewhere while whoever started it goes on. The two take turns: the task runs only
// while its starter waits for it, but for what it says it waits for, which runs beside. So they may share anything that
// the waiting itself does not touch, without locks.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace hone {

class Aside {
 public:
  Aside() = default;
  /// Goes on with the task until it ends.
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  /// Runs it until it waits for something, or ends. One task at a time.
  void start(std::function<void()> task);
  /// It was started and has not ended.
  bool is_busy() const;
  /// What it waits for is there; or there is no task.
  bool is_ready() const;
  /// Waits until it is ready, then runs it until it waits again, or ends.
  void go_on();

  /// Called by the task: `work` runs beside its starter. Called by anybody else it simply runs.
  template <class Work>
  auto beside(Work&& work) {
    if (!is_task()) return work();
    give_turn();
    auto result = work();
    take_turn();
    return result;
  }

 private:
  enum class State { Idle, Running, Waiting, Ready };
  bool is_task() const;
  void give_turn();
  void take_turn();
  void change(State state);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Idle;
  std::thread::id task_;
  std::thread thread_;
};

}  // namespace hone
