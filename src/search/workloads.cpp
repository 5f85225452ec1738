#include "search/workloads.hpp"

#include <algorithm>
#include <cmath>

namespace hone::search {

Outcome combined(const ByShape& outcomes, const std::vector<std::string>& shapes) {
  double sum = 0;
  bool censored = false;
  for (const auto& shape : shapes) {
    const auto found = outcomes.find(shape);
    if (found == outcomes.end() || found->second.kind == Outcome::Kind::Failed || !(found->second.value > 0)) {
      return Outcome::failed();
    }
    censored = censored || found->second.kind == Outcome::Kind::Censored;
    sum += std::log(found->second.value);
  }
  if (shapes.empty()) return Outcome::failed();
  const double mean = std::exp(sum / static_cast<double>(shapes.size()));
  return censored ? Outcome::censored(mean) : Outcome::measured(mean);
}

ShapeChoice choose_by_shape(const ShapeTable& table) {
  ShapeChoice choice;
  std::map<std::string, double> fastest;
  const ByShape* of_general = nullptr;
  for (const auto& [configuration, outcomes] : table.rows) {
    for (const auto& shape : table.tune) {
      const auto found = outcomes.find(shape);
      if (found == outcomes.end() || found->second.kind != Outcome::Kind::Measured) continue;
      const auto [at, first] = fastest.try_emplace(shape, found->second.value);
      if (!first && found->second.value >= at->second) continue;
      at->second = found->second.value;
      choice.per_shape[shape] = configuration;
    }
    const auto all = combined(outcomes, table.tune);
    if (all.kind != Outcome::Kind::Measured || (choice.general && all.value >= choice.general_mean)) continue;
    choice.general = configuration;
    choice.general_mean = all.value;
    of_general = &outcomes;
  }
  for (const auto& shape : table.held_out) {
    if (of_general == nullptr) break;
    const auto found = of_general->find(shape);
    if (found != of_general->end() && found->second.kind == Outcome::Kind::Measured) {
      choice.held_out[shape] = found->second.value;
    }
  }
  return choice;
}

std::optional<BestRow> best_for(const ShapeTable& table, const std::vector<std::string>& shapes) {
  std::optional<BestRow> best;
  for (const auto& [configuration, outcomes] : table.rows) {
    const auto all = combined(outcomes, shapes);
    if (all.kind == Outcome::Kind::Measured && (!best || all.value < best->mean))
      best = BestRow{configuration, all.value};
  }
  return best;
}

ShapeTable merged(const ShapeTable& table) {
  struct Sum {
    double logs = 0;
    int count = 0;
  };
  ShapeTable out{table.tune, table.held_out, {}};
  std::vector<std::map<std::string, Sum>> sums;
  for (const auto& [configuration, outcomes] : table.rows) {
    auto row = std::ranges::find(out.rows, configuration, &std::pair<Configuration, ByShape>::first);
    if (row == out.rows.end()) {
      row = out.rows.insert(out.rows.end(), {configuration, {}});
      sums.emplace_back();
    }
    auto& sum = sums[static_cast<std::size_t>(row - out.rows.begin())];
    for (const auto& [shape, outcome] : outcomes) {
      if (outcome.kind != Outcome::Kind::Measured) {
        row->second.try_emplace(shape, outcome);
        continue;
      }
      auto& [logs, count] = sum[shape];
      logs += std::log(outcome.value);
      ++count;
      row->second.insert_or_assign(shape, Outcome::measured(std::exp(logs / count)));
    }
  }
  return out;
}

std::optional<Outcome> drop_early(const ByShape& so_far, const std::map<std::string, double>& incumbent, double hope) {
  double own = 0, rival = 0;
  std::size_t open = 0;
  for (const auto& [shape, time] : incumbent) {
    rival += std::log(time);
    const auto found = so_far.find(shape);
    if (found == so_far.end()) {
      own += std::log(time / hope);
      ++open;
      continue;
    }
    if (found->second.kind == Outcome::Kind::Failed || !(found->second.value > 0)) return Outcome::failed();
    own += std::log(found->second.value);
  }
  if (open == 0 || own <= rival) return std::nullopt;
  return Outcome::censored(std::exp(own / static_cast<double>(incumbent.size())));
}

}  // namespace hone::search
