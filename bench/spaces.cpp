// How long spaces take to build and list, for every T1 file of a folder, and to sample 1,000 valid points of a space of
// 10^12 points under 20 constraints; and the adaptive strategy's own time in the largest of them. Processor time, best
// of several runs.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "os/gzip.hpp"
#include "search/strategy.hpp"
#include "search/t1_file.hpp"

namespace fs = std::filesystem;
using namespace hone;
using namespace hone::search;

namespace {

/// Processor time: what others do on the machine does not count.
double milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Work>
double best_of(int runs, Work work) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    const double begin = milliseconds();
    work();
    best = std::min(best, milliseconds() - begin);
  }
  return best;
}

void build(const std::string& name, const Space& space) {
  Count count = 0, product = 0;
  std::size_t listed = 0;
  const double built = best_of(7, [&] {
    const auto region = Region::build(space).value();
    count = region.count();
    product = region.product();
  });
  const double both = best_of(7, [&] { listed = Region::build(space).value().list(10'000'000).size(); });
  fmt::print("{:<24} {:>12.0f} -> {:>9.0f} points   built {:8.2f} ms   built and listed ({}) {:8.2f} ms\n", name,
             static_cast<double>(product), static_cast<double>(count), built, listed, both);
}

/// 12 parameters of 10 values; products and sums over overlapping groups, divisibility and guards.
Space huge_space() {
  Space space;
  for (int i = 0; i < 12; ++i) {
    Parameter parameter{"p" + std::to_string(i), {}, Value(std::int64_t{1})};
    for (std::int64_t v = 1; v <= 10; ++v) parameter.values.emplace_back(v);
    space.parameters.push_back(std::move(parameter));
  }
  const auto add = [&](const std::string& text) {
    space.constraints.push_back({text, Expression::parse(text).value()});
  };
  const auto p = [](int i) { return "p" + std::to_string(i % 12); };
  for (int i = 0; i < 10; ++i) add(p(i) + " * " + p(i + 1) + " * " + p(i + 2) + " <= 200");
  for (int i = 0; i < 6; ++i) add(p(2 * i) + " % 2 == 0 or " + p(2 * i + 1) + " < 8");
  add("p0 + p1 + p2 + p3 <= 24");
  add("p4 + p5 + p6 + p7 >= 8");
  add("p8 * p9 <= 60 and p10 + p11 != 7");
  add("p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 <= 70");
  return space;
}

void sample_huge() {
  std::size_t valid = 0;
  Count count = 0;
  const auto space = huge_space();
  const double took = best_of(5, [&] {
    const auto region = Region::build(space).value();
    count = region.count();
    Random random(1);
    valid = 0;
    for (int i = 0; i < 1000; ++i) valid += region.contains(region.sample(random).value()) ? 1 : 0;
  });
  fmt::print("10^12 points, {} constraints: {:.0f} valid; built and {} uniform valid samples in {:.1f} ms\n",
             space.constraints.size(), static_cast<double>(count), valid, took);
}

void own_time(const Space& space) {
  auto strategy = make_strategy("adaptive", space, {}).value();
  double total = 0, worst = 0;
  Random random(1);
  const int evaluations = 500;
  for (int i = 0; i < evaluations; ++i) {
    const double begin = milliseconds();
    const auto configuration = *strategy->ask();
    double value = 1;
    for (const auto& [name, held] : configuration) {
      if (const auto* integer = std::get_if<std::int64_t>(&held))
        value += 0.01 * static_cast<double>((*integer * 37) % 101);
    }
    strategy->tell(configuration, random.real() < 0.1 ? Outcome::failed() : Outcome::measured(value));
    const double took = milliseconds() - begin;
    total += took;
    worst = std::max(worst, took);
  }
  fmt::print("adaptive, {} evaluations: {:.2f} ms each on average, {:.1f} ms at worst\n", evaluations,
             total / evaluations, worst);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_spaces DIR\n");
    return 2;
  }
  std::vector<fs::path> paths;
  for (const auto& item : fs::directory_iterator(argv[1])) paths.push_back(item.path());
  std::sort(paths.begin(), paths.end());
  Count largest = 0;
  Space largest_space;
  for (const auto& path : paths) {
    if (path.extension() != ".json") continue;
    const auto text = os::read_maybe_gzip(path);
    const auto t1 = text ? read_t1(*text) : Result<T1>(fail("E-FILE", ""));
    if (!t1) continue;
    build(path.stem().string(), t1->space);
    const auto count = Region::build(t1->space)->count();
    if (count > largest) largest = count, largest_space = t1->space;
  }
  sample_huge();
  if (largest > 0) own_time(largest_space);
  return 0;
}
