#include "report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"

namespace hone::report {
namespace {

constexpr std::size_t bar_cells = 10;

std::string bar(double done) {
  const auto full = static_cast<std::size_t>(std::clamp(done, 0.0, 1.0) * bar_cells);
  return "[" + std::string(full, '#') + std::string(bar_cells - full, '.') + "]";
}

struct Field {
  std::string text;
  int worth;  // fields of least worth go first
};

std::string joined(const std::vector<Field>& fields) {
  std::vector<std::string> texts;
  texts.reserve(fields.size());
  for (const auto& field : fields) texts.push_back(field.text);
  return join(texts, "  ");
}

}  // namespace

std::string duration_text(Seconds duration) {
  const auto seconds = static_cast<long>(std::lround(std::max(0.0, duration.count())));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

std::string progress_line(const Progress& progress, std::size_t width) {
  std::vector<Field> fields = {{bar(progress.done), 2}, {fmt::format("best {:.2f}x", progress.best), 9}};
  std::string tried = fmt::format("{} tried", progress.evaluations);
  if (progress.failures > 0) tried += fmt::format(", {} failed", progress.failures);
  fields.push_back({tried, 4});
  if (progress.left.count() > 0) fields.push_back({duration_text(progress.left) + " left", 6});
  if (progress.rounds > 0)
    fields.push_back({fmt::format("round {}/{}", progress.round, progress.rounds), 3});
  else if (progress.round > 0)
    fields.push_back({fmt::format("round {}", progress.round), 3});

  while (fields.size() > 1 && joined(fields).size() > width)
    fields.erase(std::min_element(fields.begin(), fields.end(),
                                  [](const Field& a, const Field& b) { return a.worth < b.worth; }));
  std::string line = joined(fields);
  if (line.size() > width) return line.substr(0, width);
  const std::size_t room = width - line.size();
  if (progress.doing.empty() || room < 10) return line;
  std::string doing = progress.doing;
  if (doing.size() + 2 > room) doing = doing.substr(0, room - 5) + "...";
  return line + "  " + doing;
}

}  // namespace hone::report
