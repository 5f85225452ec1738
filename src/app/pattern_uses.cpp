#include "app/pattern_uses.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/setting.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

constexpr auto kUsesFile = "/pattern-uses.json";

bool was_faster(const std::string& name, const std::vector<Attempt>& attempts) {
  return std::ranges::any_of(attempts, [&](const Attempt& attempt) {
    const bool same = attempt.template_name == name || attempt.template_name.starts_with(name + "+repaired");
    return same && attempt.fate == "faster";
  });
}

}  // namespace

nlohmann::json to_json(const patterns::PatternUses& uses) {
  auto out = nlohmann::json::object();
  for (const auto& [trial, use] : uses) out[trial] = {{"cited", use.cited}, {"hits", use.hits}};
  return out;
}

patterns::PatternUses pattern_uses_from(const nlohmann::json& json) {
  patterns::PatternUses out;
  if (!json.is_object()) return out;
  for (const auto& [trial, use] : json.items())
    if (use.is_object() && use.value("cited", nlohmann::json()).is_number_unsigned() &&
        use.value("hits", nlohmann::json()).is_number_unsigned())
      out[trial] = {use["cited"].get<std::size_t>(), use["hits"].get<std::size_t>()};
  return out;
}

patterns::PatternUses with_citations(patterns::PatternUses before, const std::vector<agents::Citation>& citations,
                                     const std::vector<Attempt>& attempts) {
  for (const auto& citation : citations) {
    auto& use = before[citation.trial];
    ++use.cited;
    if (was_faster(citation.template_name, attempts)) ++use.hits;
  }
  return before;
}

patterns::PatternUses load_pattern_uses() {
  const auto folder = state_folder();
  const auto text = folder ? os::read_text(*folder + kUsesFile) : Result<std::string>(fail(folder.error()));
  return text ? pattern_uses_from(nlohmann::json::parse(*text, nullptr, false)) : patterns::PatternUses();
}

Status save_pattern_uses(const patterns::PatternUses& uses) {
  const auto folder = state_folder();
  if (!folder) return fail(folder.error());
  return os::write_text(*folder + kUsesFile, to_json(uses).dump(1));
}

}  // namespace hone::app
