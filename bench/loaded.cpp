// loaded [--judgements N] [--most-busy B] [--within P] CASE...: whether a claim moves with the load. A CASE is
// a MEP folder and a template folder joined by a colon. Its winner (the template's default configuration) is judged
// against the original N times beside 0, 1, ... B other busy processes, which this program starts and ends.
// The bar: every figure within 10% of the quiet one (the median of those beside none), at most one in five BUSY.

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <memory>

#include "app/instantiate.hpp"
#include "app/setting.hpp"
#include "judge/judge.hpp"
#include "worker/client.hpp"

namespace {

using namespace hone;

struct Options {
  std::vector<std::string> cases;
  std::size_t judgements = 5, most_busy = 2;
  double within = 10;
};

/// Computes until its parent ends it or ends.
class BusyProcess {
 public:
  BusyProcess() : child_(::fork()) {
    if (child_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile std::uint64_t sink = 0;;) sink = sink * 3 + 1;
  }
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;
  ~BusyProcess() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

template <class T>
T needed(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().text());
  std::exit(2);
}

struct Figures {
  std::vector<double> ratios;
  std::size_t busy = 0, asked = 0;
};

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? NAN : values[values.size() / 2];
}

Figures judged(judge::Judge& judge, const Variant& winner, std::size_t judgements, std::size_t busy_processes) {
  std::vector<std::unique_ptr<BusyProcess>> others;
  for (std::size_t i = 0; i < busy_processes; ++i) others.push_back(std::make_unique<BusyProcess>());
  Figures figures;
  const auto start = std::chrono::steady_clock::now();
  for (; figures.asked < judgements; ++figures.asked) {
    const auto found = needed(judge.confirm(winner, judge::original(judge.mep()), true));
    if (!std::holds_alternative<Timed>(found.verdict)) {
      fmt::print("  {}: {}\n", name_of(found.verdict), reason_of(found.verdict));
      continue;
    }
    const auto& c = found.comparison;
    if (c.call == Comparison::Call::Busy)
      ++figures.busy;
    else
      figures.ratios.push_back(c.ratio);
    fmt::print("  {} {:.2f}x [{:.2f}, {:.2f}] of {} pairs, {:.3f} -> {:.3f} ms\n", name_of(c.call), c.ratio, c.low,
               c.high, c.pairs, c.incumbent.count() / 1e6, c.challenger.count() / 1e6);
    std::fflush(stdout);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("  beside {}: median {:.2f}x, {} busy, {:.1f} s a judgement\n", busy_processes, middle(figures.ratios),
             figures.busy, took.count() / static_cast<double>(judgements));
  return figures;
}

/// Whether the bar is met on one case.
bool holds(const std::string& what, const Options& options, DeviceSessions& sessions) {
  const auto colon = what.find(':');
  const auto mep = needed(app::load_mep(what.substr(0, colon)));
  const auto candidate = needed(app::load_template(what.substr(colon + 1)));
  const auto winner = needed(app::Instantiator(mep)(candidate, default_configuration(candidate.space)));
  judge::Judge judge(mep, sessions, {}, {});
  fmt::print("{}, {}\n", mep.name, candidate.name);
  double quiet = 0, worst = 0;
  std::size_t busy = 0, asked = 0, told = 0;
  for (std::size_t others = 0; others <= options.most_busy; ++others) {
    const auto figures = judged(judge, winner, options.judgements, others);
    if (others == 0) quiet = middle(figures.ratios);
    for (const double ratio : figures.ratios) worst = std::max(worst, std::abs(ratio / quiet - 1));
    busy += figures.busy;
    asked += figures.asked;
    told += figures.ratios.size();
  }
  const bool met = told + busy == asked && worst * 100 <= options.within && busy * 5 <= asked;
  fmt::print("{}: {}: quiet {:.2f}x, farthest from it {:.1f}%, {} of {} busy\n", mep.name, met ? "met" : "NOT met",
             quiet, worst * 100, busy, asked);
  return met;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Whether a claim moves with the load");
  Options options;
  cli.add_option("cases", options.cases, "MEP:TEMPLATE")->required();
  cli.add_option("--judgements", options.judgements, "Of each case beside each load")->capture_default_str();
  cli.add_option("--most-busy", options.most_busy, "Other busy processes")->capture_default_str();
  cli.add_option("--within", options.within, "Percent of the quiet figure")->capture_default_str();
  CLI11_PARSE(cli, argc, argv);
  const worker::WorkerOptions workers;
  worker::WorkerSessions sessions(workers);
  bool met = true;
  for (const auto& one : options.cases) met = holds(one, options, sessions) && met;
  return met ? 0 : 1;
}
