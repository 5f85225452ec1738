#include "judge/defence.hpp"

#include <array>

namespace hone::judge {
namespace {

constexpr std::array<std::string_view, kDefences> kNames = {
    "static-gate",  "poisoned-outputs", "guard-zones",    "inputs-unchanged",     "several-seeds", "repeated-runs",
    "awkward-size", "held-out",         "fresh-contents", "outputs-after-timing", "nan-inf",       "precision",
    "races",        "source-hash",      "parent-clock",   "impossible-time",      "fresh-workers"};

}  // namespace

std::string_view name_of(Defence defence) { return kNames.at(static_cast<std::size_t>(defence)); }

std::optional<Defence> defence_named(std::string_view name) {
  for (const auto defence : every_defence()) {
    if (name_of(defence) == name) return defence;
  }
  return std::nullopt;
}

std::vector<Defence> every_defence() {
  std::vector<Defence> all;
  for (std::size_t i = 0; i < kDefences; ++i) all.push_back(static_cast<Defence>(i));
  return all;
}

}  // namespace hone::judge
