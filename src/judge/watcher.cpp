#include "judge/watcher.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace hone::judge {
namespace {

constexpr std::array<std::string_view, 7> kFindings = {"data race",      "Invalid read",  "Invalid write", "divergence",
                                                       "Invalid memory", "Invalid image", "Unaligned"};

bool is_finding(std::string_view line) {
  return std::ranges::any_of(kFindings,
                             [line](std::string_view finding) { return line.find(finding) != std::string_view::npos; });
}

constexpr Milliseconds kLeastPatience{2'000};

}  // namespace

std::map<std::string, std::string> oclgrind_environment() {
  return {{"OCL_ICD_VENDORS", "/usr/lib/oclgrind/liboclgrind-rt-icd.so"},
          {"OCLGRIND_DATA_RACES", "1"},
          {"OCLGRIND_LOG", "/dev/stdout"},
          {"OCLGRIND_MAX_ERRORS", "8"}};
}

std::optional<std::string> first_finding(const std::string& log) {
  const auto lines = split(log, '\n');
  const auto found = std::ranges::find_if(lines, is_finding);
  if (found == lines.end()) return std::nullopt;
  std::string out(trim(*found));
  // A few lines further stands where: "At line 12 (column 5) of input.cl:" and the line itself.
  for (auto line = found + 1; line != lines.end() && line - found < 8 && !is_finding(*line); ++line) {
    if (line->find("At line") == std::string::npos) continue;
    out += "; " + std::string(trim(*line));
    if (line + 1 != lines.end()) out += " " + std::string(trim(*(line + 1)));
    break;
  }
  return out;
}

std::map<std::string, std::string> watching_emulator_environment() {
  return {{"CUDA_EMULATOR_WATCH", "1"}, {"CUDA_EMULATOR_ORDER", "descending"}, {"CUDA_EMULATOR_SHARED", "255"}};
}

std::optional<std::string> first_race(const std::string& log) {
  constexpr std::string_view kBegin = "emulator: ";
  for (const auto& line : split(log, '\n'))
    if (line.starts_with(kBegin)) return line.substr(kBegin.size());
  return std::nullopt;
}

Result<std::optional<std::string>> Watcher::watch(const Variant& variant, const Problem& problem) {
  if (session_ == nullptr) {
    auto started = sessions_.start();
    if (!started) return fail(std::move(started).error().context("starting " + std::string(name())));
    session_ = std::move(*started);
  }
  session_->limit(limit_);
  const auto gone = [this](const auto& outcome) {
    const bool lost = std::holds_alternative<WorkerLost>(outcome);
    if (lost) session_.reset();
    return lost;
  };
  const auto build = session_->build(variant.source, variant.options);
  if (gone(build))
    return fail("E-WATCH", std::string(name()) + " was lost while building: " + std::get<WorkerLost>(build).reason);
  if (const auto* refused = std::get_if<NotBuilt>(&build))
    return fail("E-WATCH", std::string(name()) + " does not build it: " + refused->log.substr(0, 200));
  const auto load = session_->load(problem.buffers, problem.images);
  if (gone(load) || !std::holds_alternative<std::monostate>(load))
    return fail("E-WATCH", "the data could not be loaded");
  const auto run = session_->run(std::get<Built>(build).id, problem.launches, {});
  if (const auto* lost = std::get_if<WorkerLost>(&run)) {
    session_.reset();
    limit_ = std::max(limit_ / 2, std::min(limit_, kLeastPatience));
    return fail("E-WATCH", std::string(name()) + " did not finish: " + lost->reason);
  }
  if (const auto* refused = std::get_if<NotLaunched>(&run)) return fail("E-WATCH", refused->reason);
  const auto& ran = std::get<Ran>(run);
  auto found = finding_(ran.printed);
  // Oclgrind counts its findings and falls silent after some: the next variant gets a process that has said nothing
  // yet.
  if (found) session_.reset();
  return found;
}

}  // namespace hone::judge
