#include "emulator/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <deque>
#include <map>

#include "emulator/device_print.hpp"
#include "emulator/stack.hpp"
#include "emulator/warp.hpp"
#include "emulator/watch.hpp"

namespace hone::emulator {

namespace context = boost::context::detail;

/// One stack, and the thread of the block that runs on it.
struct Fiber {
  Fiber(std::size_t bytes, void* runner_) : stack(bytes), runner(runner_) {}
  Stack stack;
  void* runner;
  HoneThread thread{};
  context::fcontext_t at = nullptr;  // where it goes on; null: not begun
  std::uint32_t answer = 0;          // of a reduction at a barrier
  std::uint64_t result = 0;          // of an exchange with other lanes
};

class Grid::Runner {
 public:
  explicit Runner(const Memory& memory) : memory_(memory) {}

  std::optional<Fault> run(const Launch& launch) {
    launch_ = &launch;
    threads_ = launch.block[0] * launch.block[1] * launch.block[2];
    fault_.reset();
    ranges_.assign(std::max<std::size_t>(launch.ranges, 1), HoneRange{0, 0});
    params_ = launch.params;
    const std::size_t stack = kStack + 4 * launch.local_bytes;
    if (!fibers_.empty() && fibers_.front()->stack.bytes() < stack) forget_fibers();
    stack_bytes_ = std::max(stack, stack_bytes_);
    shared_.resize(launch.static_shared + launch.dynamic_shared + 16);
    if (launch.watched) watch_.begin_launch(std::size_t{launch.grid[0]} * launch.grid[1] * launch.grid[2], threads_);
    for (std::uint32_t z = 0; z < launch.grid[2] && !fault_; ++z)
      for (std::uint32_t y = 0; y < launch.grid[1] && !fault_; ++y)
        for (std::uint32_t x = 0; x < launch.grid[0] && !fault_; ++x) run_block({x, y, z});
    // After a fault fibers stand in the middle of a kernel; nothing in there has to be unwound.
    if (fault_) forget_fibers();
    return fault_;
  }
  const std::optional<std::string>& finding() const { return watch_.finding(); }

 private:
  struct Waiting {
    std::vector<Fiber*> fibers;
    std::uint32_t threads = 0;  // 0: all
    std::uint32_t sum = 0;
  };

  void forget_fibers() {
    fibers_.clear();
    free_.clear();
    stack_bytes_ = 0;
  }

  void run_block(std::array<std::uint32_t, 3> index) {
    block_ = index;
    std::ranges::fill(shared_, launch_->unwritten);
    if (launch_->watched) {
      const auto& size = launch_->grid;
      const auto begin = reinterpret_cast<std::uint64_t>(shared());
      watch_.begin_block((index[2] * size[1] + index[1]) * size[0] + index[0],
                         {begin, begin + launch_->static_shared + launch_->dynamic_shared});
    }
    started_ = ended_ = 0;
    ready_.clear();
    barriers_.clear();
    exchanging_.clear();
    warps_.assign((threads_ + kLanes - 1) / kLanes, Warp());
    if (threads_ % kLanes != 0) warps_.back().without(~0U << (threads_ % kLanes));
    while (ended_ < threads_ && !fault_) {
      if (!ready_.empty()) {
        Fiber* next = ready_.front();
        ready_.pop_front();
        resume(*next);
      } else if (started_ < threads_) {
        Fiber* next = spare();
        if (next == nullptr) return;
        begin_thread(*next);
        resume(*next);
      } else {
        report_stuck();
      }
    }
  }

  Fiber* spare() {
    if (!free_.empty()) {
      Fiber* fiber = free_.back();
      free_.pop_back();
      return fiber;
    }
    auto made = std::make_unique<Fiber>(stack_bytes_, this);
    if (made->stack.top() == nullptr) {
      fault_ = Fault{Fault::Kind::Trap, "no memory for the stacks of the block's threads"};
      return nullptr;
    }
    fibers_.push_back(std::move(made));
    return fibers_.back().get();
  }

  /// The next thread of the block, on that fiber.
  void begin_thread(Fiber& fiber) {
    const std::uint32_t linear = launch_->order == Order::Ascending ? started_ : threads_ - 1 - started_;  // NOLINT
    ++started_;
    auto& t = fiber.thread;
    const auto& size = launch_->block;
    t.tid[0] = linear % size[0];
    t.tid[1] = linear / size[0] % size[1];
    t.tid[2] = linear / (size[0] * size[1]);
    for (std::size_t d = 0; d < 3; ++d) {
      t.ntid[d] = size[d];
      t.ctaid[d] = block_[d];
      t.nctaid[d] = launch_->grid[d];
    }
    t.linear = linear;
    t.lane = linear % kLanes;
    t.warp = linear / kLanes;
    t.warps = static_cast<u32>(warps_.size());
    t.shared_bytes = static_cast<u32>(launch_->static_shared + launch_->dynamic_shared);
    t.dynamic_bytes = static_cast<u32>(launch_->dynamic_shared);
    t.params = params_.data();
    t.shared = shared();
    t.ranges = ranges_.data();
    t.symbols = reinterpret_cast<const u64*>(launch_->symbols.data());
    t.calls = &calls();
    t.fiber = &fiber;
  }

  std::uint8_t* shared() { return shared_.data() + (16 - reinterpret_cast<std::uintptr_t>(shared_.data()) % 16) % 16; }

  void resume(Fiber& fiber) {
    if (fiber.at == nullptr) fiber.at = context::make_fcontext(fiber.stack.top(), fiber.stack.bytes(), &entry);
    const auto back = context::jump_fcontext(fiber.at, &fiber);
    fiber.at = back.fctx;
  }

  static void entry(context::transfer_t from) {
    auto* fiber = static_cast<Fiber*>(from.data);
    auto* runner = static_cast<Runner*>(fiber->runner);
    runner->home_ = from.fctx;
    for (;;) {
      runner->launch_->kernel(&fiber->thread);
      runner->end_thread(*fiber);
      // Whoever is ready goes first: a thread that waits must not wait for all that have not begun.
      if (runner->ready_.empty() && runner->started_ < runner->threads_) {
        runner->begin_thread(*fiber);
        continue;
      }
      runner->free_.push_back(fiber);
      runner->leave(*fiber);
    }
  }

  /// To the loop of the block, until this fiber is resumed.
  void leave(Fiber&) { home_ = context::jump_fcontext(home_, nullptr).fctx; }

  void end_thread(Fiber& fiber) {
    ++ended_;
    if (auto lanes = warps_[fiber.thread.warp].end(fiber.thread.lane)) wake_lanes(fiber.thread.warp, *lanes, nullptr);
    for (auto& [id, waiting] : barriers_) release_if_complete(waiting);
  }

  void wake(std::vector<Fiber*>& fibers) {
    const bool up = launch_->order == Order::Ascending;
    std::ranges::sort(fibers, [up](const Fiber* a, const Fiber* b) {
      return up ? a->thread.linear < b->thread.linear : a->thread.linear > b->thread.linear;
    });
    ready_.insert(ready_.end(), fibers.begin(), fibers.end());
    fibers.clear();
  }

  bool release_if_complete(Waiting& waiting) {
    if (waiting.fibers.empty()) return false;
    const std::uint32_t wanted = waiting.threads == 0 ? threads_ - ended_ : waiting.threads;
    if (waiting.fibers.size() < wanted) return false;
    for (auto* fiber : waiting.fibers) fiber->answer = waiting.sum;
    waiting.sum = 0;
    watch_.barrier();
    if (launch_->watched && waiting.threads == 0 && ended_ > 0) watch_.barrier_without(ended_);
    wake(waiting.fibers);
    return true;
  }

  std::uint32_t wait_at(Fiber& fiber, std::uint32_t id, std::uint32_t threads, std::uint32_t value) {
    auto& waiting = barriers_[id];
    waiting.threads = threads;
    waiting.sum += value;
    waiting.fibers.push_back(&fiber);
    release_if_complete(waiting);
    leave(fiber);
    return fiber.answer;
  }

  void wake_lanes(std::uint32_t warp, std::uint32_t lanes, const Fiber* but) {
    if (launch_->watched && warps_[warp].was_barrier()) watch_.warp_barrier(warp, lanes);
    std::vector<Fiber*> fibers;
    auto& waiting = exchanging_[warp];
    std::erase_if(waiting, [&](Fiber* one) {
      if ((lanes >> one->thread.lane & 1U) == 0) return false;
      one->result = warps_[warp].results()[one->thread.lane];
      if (one != but) fibers.push_back(one);
      return true;
    });
    wake(fibers);
  }

  std::uint64_t exchange(Fiber& fiber, std::uint32_t kind, std::uint32_t mask, const Deposit& deposit) {
    const auto& t = fiber.thread;
    if ((mask >> t.lane & 1U) == 0) {
      end_with(fiber, Fault::Kind::Trap, "a lane takes part in an exchange whose mask leaves it out");
      return 0;
    }
    exchanging_[t.warp].push_back(&fiber);
    const auto done = warps_[t.warp].arrive(kind, mask, t.lane, deposit);
    if (done)
      wake_lanes(t.warp, *done, &fiber);
    else
      leave(fiber);
    return fiber.result;
  }

  /// Nobody can go on and not all have ended.
  void report_stuck() {
    for (const auto& [id, waiting] : barriers_)
      if (!waiting.fibers.empty()) {
        fault_ =
            Fault{Fault::Kind::Barrier,
                  fmt::format("divergent barrier: in block ({},{},{}) {} of {} threads wait at barrier {}, and the "
                              "others never come",
                              block_[0], block_[1], block_[2], waiting.fibers.size(), threads_ - ended_, id)};
        return;
      }
    fault_ = Fault{Fault::Kind::Barrier, fmt::format("in block ({},{},{}) lanes of a warp wait for others that never "
                                                     "come",
                                                     block_[0], block_[1], block_[2])};
  }

  void end_with(Fiber& fiber, Fault::Kind kind, const std::string& words) {
    const auto& t = fiber.thread;
    fault_ = Fault{kind, fmt::format("{} (block {},{},{}, thread {},{},{})", words, t.ctaid[0], t.ctaid[1], t.ctaid[2],
                                     t.tid[0], t.tid[1], t.tid[2])};
    leave(fiber);  // and never resumed
  }

  static Fiber& fiber_of(HoneThread* t) { return *static_cast<Fiber*>(t->fiber); }
  static Runner& runner_of(HoneThread* t) { return *static_cast<Runner*>(fiber_of(t).runner); }

  static const HoneCalls& calls() {
    static const HoneCalls table = {
        [](HoneThread* t, u32 id, u32 threads) { runner_of(t).wait_at(fiber_of(t), id, threads, 0); },
        [](HoneThread* t, u32 id, u32 threads, u32 kind, u32 value) -> u32 {
          auto& runner = runner_of(t);
          const u32 taking_part = threads == 0 ? runner.threads_ - runner.ended_ : threads;
          const u32 sum = runner.wait_at(fiber_of(t), id, threads, value != 0 ? 1 : 0);
          return kind == 0 ? sum : kind == 1 ? u32{sum == taking_part} : u32{sum != 0};
        },
        [](HoneThread* t, u32 kind, u64 value, u32 a, u32 b, u32 mask) -> u64 {
          return runner_of(t).exchange(fiber_of(t), kind, mask, {value, a, b});
        },
        [](HoneThread* t) -> u32 { return ~runner_of(t).warps_[t->warp].ended(); },
        [](HoneThread* t) {
          runner_of(t).ready_.push_back(&fiber_of(t));
          runner_of(t).leave(fiber_of(t));
        },
        [](HoneThread* t, u64 address, u32 bytes, HoneRange* range) { runner_of(t).locate(t, address, bytes, range); },
        [](HoneThread* t, u32 kind, u64 address, const char* words) {
          const std::string said = words;
          if (kind == kHoneAssert) return runner_of(t).end_with(fiber_of(t), Fault::Kind::Assert, said);
          if (kind == kHoneTrap)
            return runner_of(t).end_with(fiber_of(t), Fault::Kind::Trap, "the kernel trapped " + said);
          const bool misaligned = kind == kHoneAlignment;
          runner_of(t).end_with(
              fiber_of(t), misaligned ? Fault::Kind::Alignment : Fault::Kind::Address,
              fmt::format("{} access at {:#x} {}", misaligned ? "misaligned" : "illegal", address, said));
        },
        [](HoneThread*, const char* format, const u8* arguments) { return device_print(format, arguments); },
        [](HoneThread* t, u64 address, u32 bytes, HoneTouch kind) {
          // What lies on a thread's own stack is nobody else's.
          if (!fiber_of(t).stack.holds(address, bytes)) runner_of(t).watch_.touch(*t, address, bytes, kind);
        },
    };
    return table;
  }

  void locate(HoneThread* t, std::uint64_t address, std::uint32_t bytes, HoneRange* range) {
    if (const auto found = memory_.holding(address, bytes)) {
      *range = {found->begin, found->end};
      return;
    }
    const auto shared = reinterpret_cast<std::uint64_t>(t->shared);
    if (address >= shared && address + bytes <= shared + t->shared_bytes) return;
    for (const auto& variable : launch_->variables)
      if (address >= variable.begin && address + bytes <= variable.end) {
        *range = {variable.begin, variable.end};
        return;
      }
    const auto params = reinterpret_cast<std::uint64_t>(params_.data());
    if (address >= params && address + bytes <= params + params_.size()) return;
    if (fiber_of(t).stack.holds(address, bytes)) return;
    end_with(fiber_of(t), Fault::Kind::Address, fmt::format("illegal access of {} bytes at {:#x}", bytes, address));
  }

  static constexpr std::size_t kStack = std::size_t{64} << 10U;
  const Memory& memory_;
  const Launch* launch_ = nullptr;
  std::uint32_t threads_ = 0, started_ = 0, ended_ = 0;
  std::array<std::uint32_t, 3> block_{};
  std::vector<HoneRange> ranges_;
  std::vector<std::uint8_t> params_, shared_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> free_;
  std::size_t stack_bytes_ = 0;
  std::deque<Fiber*> ready_;
  std::map<std::uint32_t, Waiting> barriers_;
  std::vector<Warp> warps_;
  Watch watch_;
  std::map<std::uint32_t, std::vector<Fiber*>> exchanging_;
  std::optional<Fault> fault_;
  context::fcontext_t home_ = nullptr;
};

Grid::Grid(const Memory& memory) : runner_(std::make_unique<Runner>(memory)) {}
Grid::~Grid() = default;
std::optional<Fault> Grid::run(const Launch& launch) { return runner_->run(launch); }
const std::optional<std::string>& Grid::finding() const { return runner_->finding(); }

}  // namespace hone::emulator
