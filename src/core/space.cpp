#include "core/space.hpp"

namespace hone {

std::string print(const Configuration& configuration) {
  std::string out;
  for (const auto& [name, value] : configuration) {
    if (!out.empty()) out += ' ';
    out += name + "=" + print(value);
  }
  return out;
}

Configuration default_configuration(const Space& space) {
  Configuration configuration;
  for (const auto& parameter : space.parameters) configuration[parameter.name] = parameter.default_value;
  return configuration;
}

}  // namespace hone
