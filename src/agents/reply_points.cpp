// Answers that are not templates of their own: points of one that works, and what an answer says it follows.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "agents/reply.hpp"
#include "base/text.hpp"

namespace hone::agents {
namespace {

constexpr std::size_t most_points = 8;

/// The last block of JSON that names a template and configurations.
std::optional<nlohmann::json> points_block(const std::string& reply) {
  std::optional<nlohmann::json> out;
  for (const auto& block : fenced_blocks(reply)) {
    auto json = nlohmann::json::parse(block.text, nullptr, false);
    if (!json.is_object() || !json.contains("configurations") || !json.contains("template")) continue;
    if (json["configurations"].is_array() && json["template"].is_string()) out = std::move(json);
  }
  return out;
}

/// The parameter's own value that is written like this one; null when it has none.
const Value* value_like(const Parameter& parameter, const nlohmann::json& written) {
  const auto text = written.is_string() ? written.get<std::string>() : written.dump();
  for (const auto& value : parameter.values)
    if (print(value) == text || print(value) == "\"" + text + "\"") return &value;
  return nullptr;
}

Result<Template> at_point(Template value, const nlohmann::json& point) {
  if (!point.is_object()) return fail("E-REPLY", "each of `configurations` is an object of parameters and values");
  for (const auto& [name, written] : point.items()) {
    const auto parameter = std::ranges::find(value.space.parameters, name, &Parameter::name);
    if (parameter == value.space.parameters.end())
      return fail("E-REPLY", fmt::format("`{}` is no parameter of `{}`", name, value.name));
    const auto* chosen = value_like(*parameter, written);
    if (chosen == nullptr)
      return fail("E-REPLY",
                  fmt::format("`{}` has no value {}; a wider range is a template of its own", name, written.dump()));
    parameter->default_value = *chosen;
  }
  return value;
}

}  // namespace

Result<std::optional<std::vector<Template>>> points_in(const std::string& reply, const std::vector<Parent>& parents) {
  const auto block = points_block(reply);
  if (!block) return std::optional<std::vector<Template>>();
  const auto name = (*block)["template"].get<std::string>();
  const auto parent = std::ranges::find_if(parents, [&](const Parent& one) { return one.made_of.name == name; });
  if (parent == parents.end())
    return fail("E-REPLY", fmt::format("no template that works is called `{}`", name.substr(0, 80)));
  auto base = parent->made_of;
  for (auto& parameter : base.space.parameters)
    if (const auto best = parent->configuration.find(parameter.name); best != parent->configuration.end())
      parameter.default_value = best->second;
  std::vector<Template> out;
  for (const auto& point : (*block)["configurations"]) {
    auto value = at_point(base, point);
    if (!value) return fail(std::move(value).error());
    if (out.size() < most_points && std::ranges::find(out, *value) == out.end()) out.push_back(std::move(*value));
  }
  if (out.empty()) return fail("E-REPLY", "`configurations` is empty");
  return std::optional(std::move(out));
}

std::vector<std::size_t> patterns_cited(const std::string& reply) {
  std::string words = reply;
  for (const auto& block : fenced_blocks(reply))
    if (!block.text.empty()) words = replace_all(std::move(words), block.text, "\n");
  std::ranges::transform(words, words.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::size_t> out;
  constexpr std::string_view word = "pattern ";
  for (auto at = words.find(word); at != std::string::npos; at = words.find(word, at + 1)) {
    std::size_t number = 0, digits = 0;
    for (auto i = at + word.size();
         i < words.size() && std::isdigit(static_cast<unsigned char>(words[i])) != 0 && digits < 3; ++i, ++digits)
      number = 10 * number + static_cast<std::size_t>(words[i] - '0');
    if (digits > 0 && number > 0 && std::ranges::find(out, number) == out.end()) out.push_back(number);
  }
  return out;
}

}  // namespace hone::agents
