#pragma once
// What every strategy keeps: the region, which points were asked for and what was told about each.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/region.hpp"
#include "search/strategy.hpp"

namespace hone::search {

struct PointHash {
  std::size_t operator()(const Point& point) const {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const auto value : point) h = (h ^ value) * 0x100000001b3ULL;
    return static_cast<std::size_t>(h ^ (h >> 29U));
  }
};

/// All that was told about one point; several measurements are replicates.
struct Record {
  std::size_t asked = 0, failures = 0;
  double sum = 0, sum_of_squares = 0;  // of log times
  std::size_t measurements = 0;
  std::optional<double> above;  // the largest censored bound
  bool measured() const { return measurements > 0 && failures == 0; }
  double mean_log() const { return sum / static_cast<double>(measurements); }
};

class History {
 public:
  Record& operator[](const Point& point);
  const Record* find(const Point& point) const;
  bool known(const Point& point) const { return find(point) != nullptr; }
  std::size_t size() const { return order_.size(); }
  const Point& point(std::size_t i) const { return order_[i]; }
  const Record& record(std::size_t i) const { return records_[i]; }
  std::size_t index(const Point& point) const { return index_.at(point); }
  void note(const Point& point, const Outcome& outcome);
  /// The measured point with the smallest mean, never one that failed; nothing measured: nothing.
  std::optional<Point> best() const;

 private:
  std::vector<Point> order_;
  std::vector<Record> records_;
  std::unordered_map<Point, std::size_t, PointHash> index_;
};

/// ask() and tell() in points; what a strategy decides is only `choose`.
class PointStrategy : public Strategy {
 public:
  PointStrategy(Region region, const StrategyOptions& options);
  std::optional<Configuration> ask() final;
  void tell(const Configuration& configuration, const Outcome& outcome) final;
  std::optional<Configuration> best() const override;

 protected:
  virtual std::optional<Point> choose() = 0;
  virtual void learn(const Point&, const Outcome&) {}
  /// A valid point that was never asked for; nothing when there is none left.
  std::optional<Point> fresh_sample();

  const Region& region() const { return region_; }
  const History& history() const { return history_; }
  Random& random() { return random_; }
  bool exhausted() const;

 private:
  Region region_;
  History history_;
  Random random_;
  std::vector<Point> rest_;  // unasked points in random order, once samples mostly hit asked ones
};

}  // namespace hone::search
