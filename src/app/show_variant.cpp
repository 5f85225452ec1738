#include "app/show_variant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/instantiate.hpp"
#include "app/setting.hpp"

namespace hone::app {

Result<Configuration> configuration_at(const Template& of, const std::vector<std::string>& at) {
  auto out = default_configuration(of.space);
  for (const auto& word : at) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    const auto parameter = std::ranges::find(of.space.parameters, name, &Parameter::name);
    const auto value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (parameter == of.space.parameters.end())
      return fail("E-SET", name + " is no parameter of " + of.name, "hone show TEMPLATE");
    const auto found = std::ranges::find_if(parameter->values, [&](const Value& one) { return print(one) == value; });
    if (found == parameter->values.end())
      return fail("E-SET", fmt::format("{} has no value {}", name, value), "hone show TEMPLATE");
    out[name] = *found;
  }
  return out;
}

namespace {

nlohmann::json texts(const std::vector<Expression>& sizes) {
  auto out = nlohmann::json::array();
  for (const auto& size : sizes) out.push_back(size.print());
  return out;
}

}  // namespace

Result<Answer> show_variant(const std::string& template_folder, const std::string& mep_folder,
                            const std::vector<std::string>& at) {
  const auto of = load_template(template_folder);
  if (!of) return fail(of.error());
  const auto mep = load_mep(mep_folder);
  if (!mep) return fail(mep.error());
  const auto configuration = configuration_at(*of, at);
  if (!configuration) return fail(configuration.error());
  const auto variant = Instantiator(*mep)(*of, *configuration);
  if (!variant) return fail(variant.error());
  Answer answer;
  answer.data = {{"kind", "variant"},
                 {"configuration", print(*configuration)},
                 {"source", variant->source},
                 {"options", variant->options},
                 {"launches", nlohmann::json::array()}};
  answer.text = fmt::format("{} at {}\n", of->name, print(*configuration));
  for (const auto& launch : variant->launches) {
    answer.data["launches"].push_back(
        {{"kernel", launch.kernel}, {"global", texts(launch.global)}, {"local", texts(launch.local)}});
    answer.text += fmt::format("launch {}: global {}, local {}\n", launch.kernel, texts(launch.global).dump(),
                               texts(launch.local).dump());
  }
  answer.text += variant->source;
  return answer;
}

}  // namespace hone::app
