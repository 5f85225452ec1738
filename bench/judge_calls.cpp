// judge_calls [--same N] [--differ N] [--percent P] [--seed S] [--quiet]: how often the judge's comparisons are right,
// on the real device through real workers at the default effort, while a child of this program keeps one core busy in
// bursts. `same` pairs are one and the same kernel; of `differ` pairs one side takes P percent longer by more steps of
// the same chain of multiplications, and which side changes from pair to pair.

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <random>
#include <thread>

#include "core/format.hpp"
#include "judge/judge.hpp"
#include "worker/client.hpp"

namespace {

using namespace hone;
using Call = Comparison::Call;

struct Options {
  std::size_t same = 200, differ = 100;
  double percent = 5;
  std::uint64_t seed = 1;
  bool quiet = false;
};

/// Busy and idle by turns of 20 to 500 ms, until its parent ends it or ends.
class BusyNeighbour {
 public:
  explicit BusyNeighbour(std::uint64_t seed) : child_(::fork()) {
    if (child_ == 0) work(seed);
  }
  BusyNeighbour(const BusyNeighbour&) = delete;
  BusyNeighbour& operator=(const BusyNeighbour&) = delete;
  ~BusyNeighbour() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  [[noreturn]] static void work(std::uint64_t seed) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::mt19937_64 random(seed);
    volatile std::uint64_t sink = 0;
    for (;;) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(20 + random() % 480);
      while (std::chrono::steady_clock::now() < until)
        for (int i = 0; i < 1000; ++i) sink = sink * 3 + 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 480));
    }
  }
  pid_t child_;
};

/// `extra` steps more than the answer needs; the answer is the same.
std::string kernel(std::size_t steps, std::size_t extra) {
  return fmt::format(R"(kernel void chain(global const uint* a, global uint* b, int n) {{
  int i = get_global_id(0);
  if (i >= n) return;
  ulong x = a[i];
  for (int s = 0; s < {}; ++s) x = x * 6364136223846793005ul + 1442695040888963407ul;
  uint r = (uint)(x >> 32);
  for (int s = 0; s < {}; ++s) x = x * 6364136223846793005ul + 1442695040888963407ul;
  b[i] = x == 1234567890123456789ul ? r + 1 : r;
}}
)",
                     steps, extra);
}

struct Shape {
  std::size_t items, steps;
};
/// Passes of about a millisecond on a small machine.
constexpr Shape kShapes[] = {{2048, 800}, {1024, 1500}, {4096, 500}, {512, 3000}, {3072, 700}};

Mep mep_of(const Shape& shape, std::size_t extra) {
  const auto toml = fmt::format(R"toml(format = 1
name = "chain"
language = "opencl"
fidelity = {{ values = "C", reasons = ["made to be compared"] }}
[[buffer]]
name = "A"
type = "uint"
extent = "n"
fill = "uniform(0,1000000)"
[[buffer]]
name = "B"
type = "uint"
extent = "n"
fill = "zero"
[[kernel]]
name = "chain"
arguments = [ {{ name = "a", buffer = "uint", access = "read" }}, {{ name = "b", buffer = "uint", access = "write" }}, {{ name = "n", scalar = "int" }} ]
[[workload]]
name = "tune"
role = "tune"
scalars = {{ n = {} }}
launches = [ {{ kernel = "chain", arguments = {{ a = "A", b = "B", n = "n" }}, global = ["n"], local = [64] }} ]
)toml",
                                shape.items);
  const Files files = {{"mep.toml", toml}, {"kernel.cl", kernel(shape.steps, extra)}};
  return mep_from_files(files, "chain").value();
}

/// One and the same pass many times over, the other's in between: the fastest of each.
std::pair<Nanoseconds, Nanoseconds> fastest(DeviceSession& session, const Mep& one, const Mep& other) {
  constexpr int kRounds = 25;
  std::pair best(Nanoseconds(1e300), Nanoseconds(1e300));
  const auto problem = concretise(one, one.workloads.front(), {}, session.device(), 1);
  (void)session.load(problem->buffers, {});
  const auto take = [&](const Mep& mep, Nanoseconds& least) {
    const auto built = session.build(mep.source, {});
    const auto times = session.time(std::get<Built>(built).id, problem->launches, 10, false, {});
    least = std::min(least, *std::ranges::min_element(std::get<TimesTaken>(times).span));
  };
  for (int round = 0; round < kRounds; ++round) {
    take(one, best.first);
    take(other, best.second);
  }
  return best;
}

/// How many steps more take that share of a pass: measured, since a pass is more than its steps.
std::size_t steps_for(double share, const Shape& shape, DeviceSessions& sessions) {
  const auto session = sessions.start().value();
  const auto [once, twice] = fastest(*session, mep_of(shape, 0), mep_of(shape, shape.steps));
  const double per_step = (twice - once).count() / static_cast<double>(shape.steps);
  const auto extra = static_cast<std::size_t>(std::lround(share * once.count() / per_step));
  const auto [less, more] = fastest(*session, mep_of(shape, 0), mep_of(shape, extra));
  fmt::print("{} items, {} steps: {:.3f} ms a pass; {} steps more: {:+.1f}%\n", shape.items, shape.steps,
             less.count() / 1e6, extra, 100 * (more / less - 1));
  return extra;
}

struct Tally {
  std::map<Call, std::size_t> calls;
  std::size_t right = 0, wrong_way = 0, done = 0, pairs = 0;
  Seconds took{0};
};

/// Ends the program when the machinery fails: then there is nothing to count.
Comparison compared(judge::Judge& judge, const Variant& challenger, const Variant& incumbent) {
  const auto confirmed = judge.confirm(challenger, incumbent, false);
  const bool timed = confirmed && std::holds_alternative<Timed>(confirmed->verdict);
  if (timed) return confirmed->comparison;
  fmt::print(stderr, "{}\n", confirmed ? reason_of(confirmed->verdict) : confirmed.error().text());
  std::exit(2);
}

void count(Tally& tally, const Comparison& found, Call wanted, const std::string& about) {
  ++tally.done;
  ++tally.calls[found.call];
  tally.pairs += found.pairs;
  if (found.call == wanted) ++tally.right;
  const bool clear = found.call == Call::Faster || found.call == Call::Slower;
  if (clear && found.call != wanted) ++tally.wrong_way;
  if (found.call != wanted)
    fmt::print("  {}: {} {:.4f} [{:.4f}, {:.4f}] of {} pairs\n", about, name_of(found.call), found.ratio, found.low,
               found.high, found.pairs);
  std::fflush(stdout);
}

void print(const char* what, const Tally& tally) {
  if (tally.done == 0) return;
  const auto of = [&](Call call) { return tally.calls.contains(call) ? tally.calls.at(call) : 0; };
  fmt::print(
      "{}: {} comparisons: {} FASTER, {} SLOWER, {} SAME, {} UNCLEAR; {} right, {} the wrong way; {:.1f} pairs and "
      "{:.2f} s each\n",
      what, tally.done, of(Call::Faster), of(Call::Slower), of(Call::Same), of(Call::Unclear), tally.right,
      tally.wrong_way, static_cast<double>(tally.pairs) / static_cast<double>(tally.done),
      tally.took.count() / static_cast<double>(tally.done));
}

int compare_all(const Options& options) {
  const worker::WorkerOptions workers;
  worker::WorkerSessions sessions(workers);
  std::vector<std::size_t> extras;
  for (const auto& shape : kShapes) extras.push_back(steps_for(options.percent / 100, shape, sessions));
  std::optional<BusyNeighbour> neighbour;
  if (!options.quiet) neighbour.emplace(options.seed);
  Tally same;
  Tally differ;
  const auto rounds = std::max(options.same, options.differ);
  const auto begun = std::chrono::steady_clock::now();
  const auto show_progress = [&] {
    const auto done = same.done + differ.done, all = options.same + options.differ;
    const Seconds took = std::chrono::steady_clock::now() - begun;
    fmt::print(stderr, "\r{} of {}, about {:.0f} s left   ", done, all,
               took.count() / static_cast<double>(done) * static_cast<double>(all - done));
  };
  for (std::size_t s = 0; s < std::size(kShapes); ++s) {
    const auto& shape = kShapes[s];
    judge::JudgeOptions judging;
    judging.seed = options.seed;
    judge::Judge judge(mep_of(shape, 0), sessions, judging, {});
    const auto less = judge::original(judge.mep());
    const auto more = judge::original(mep_of(shape, extras[s]));
    const auto timed = [](Tally& tally, const auto& work) {
      const auto start = std::chrono::steady_clock::now();
      work();
      tally.took += std::chrono::steady_clock::now() - start;
    };
    for (std::size_t i = s; i < rounds; i += std::size(kShapes)) {
      const auto about = fmt::format("{} items, {} steps", shape.items, shape.steps);
      if (i < options.same)
        timed(same, [&] { count(same, compared(judge, less, less), Call::Same, "same, " + about); });
      if (i < options.same) show_progress();
      if (i >= options.differ) continue;
      const bool slower = (i / std::size(kShapes)) % 2 == 0;
      timed(differ, [&] {
        const auto found = slower ? compared(judge, more, less) : compared(judge, less, more);
        count(differ, found, slower ? Call::Slower : Call::Faster, (slower ? "slower, " : "faster, ") + about);
      });
      show_progress();
    }
  }
  fmt::print(stderr, "\n");
  print("same", same);
  print(fmt::format("differ by {}%", options.percent).c_str(), differ);
  const bool met = same.wrong_way * 100 <= same.done && differ.right * 10 >= differ.done * 9 && differ.wrong_way == 0;
  fmt::print(
      "{}: at most 1% of the same called different, at least 90% of the others called right, none the wrong way\n",
      met ? "met" : "NOT met");
  return met ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("How often the judge's comparisons are right");
  Options options;
  cli.add_option("--same", options.same, "Comparisons of a kernel with itself")->capture_default_str();
  cli.add_option("--differ", options.differ, "Comparisons of kernels that differ")->capture_default_str();
  cli.add_option("--percent", options.percent, "By how much")->capture_default_str();
  cli.add_option("--seed", options.seed, "Of contents and of the bursts")->capture_default_str();
  cli.add_flag("--quiet", options.quiet, "No other process keeps a core busy");
  CLI11_PARSE(cli, argc, argv);
  return compare_all(options);
}
