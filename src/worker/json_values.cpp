#include "worker/json_values.hpp"

#include <array>
#include <stdexcept>
#include <string_view>

namespace hone::worker {
namespace {

Json json_of(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}
Value value_from(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}
unsigned digit_from(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  throw std::invalid_argument("bytes are not hexadecimal");
}
std::vector<std::uint8_t> bytes_from(const std::string& hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("bytes are not hexadecimal");
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(digit_from(hex[i]) << 4U | digit_from(hex[i + 1])));
  return bytes;
}

// Sequences have thousands of launches: an argument is a pair of a letter and its value.
constexpr std::array kLetters = {'b', 's', 'l', 'i', 'p', 't'};  // in the order of ArgumentSpec::Kind

Json json_of(const ArgumentValue& argument) {
  using Kind = ArgumentSpec::Kind;
  const std::string letter(1, kLetters.at(static_cast<std::size_t>(argument.kind)));
  if (argument.kind == Kind::Local) return {letter, argument.local_bytes};
  if (argument.kind == Kind::Scalar || argument.kind == Kind::Struct) return {letter, hex_of(argument.bytes)};
  return {letter, argument.text};
}
ArgumentValue argument_from(const Json& json) {
  using Kind = ArgumentSpec::Kind;
  const auto letter = json.at(0).get<std::string>();
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    if (letter.size() != 1 || letter[0] != kLetters[i]) continue;
    ArgumentValue argument;
    argument.kind = static_cast<Kind>(i);
    if (argument.kind == Kind::Local)
      argument.local_bytes = json.at(1).get<std::size_t>();
    else if (argument.kind == Kind::Scalar || argument.kind == Kind::Struct)
      argument.bytes = bytes_from(json.at(1).get<std::string>());
    else
      argument.text = json.at(1).get<std::string>();
    return argument;
  }
  throw std::invalid_argument("no kind of argument is " + letter.substr(0, 8));
}

}  // namespace

Json to_json(const DeviceInfo& device) {
  Json facts = Json::object();
  for (const auto& [name, value] : device.facts) facts[name] = json_of(value);
  return {{"id", device.id}, {"name", device.name}, {"driver", device.driver}, {"kind", device.kind}, {"facts", facts}};
}
DeviceInfo device_from(const Json& json) {
  DeviceInfo device{json.at("id"), json.at("name"), json.at("driver"), json.at("kind"), {}};
  for (const auto& [name, value] : json.at("facts").items()) device.facts[name] = value_from(value);
  return device;
}

Json to_json(const os::SandboxReport& report) {
  Json parts = Json::array();
  for (const auto& part : report.parts)
    parts.push_back({{"name", part.name}, {"enforced", part.enforced}, {"means", part.means}, {"remedy", part.remedy}});
  return parts;
}
os::SandboxReport sandbox_from(const Json& json) {
  os::SandboxReport report;
  for (const auto& part : json)
    report.parts.push_back({part.at("name"), part.at("enforced"), part.at("means"), part.at("remedy")});
  return report;
}

Json to_json(const std::vector<ConcreteLaunch>& launches) {
  Json all = Json::array();
  for (const auto& launch : launches) {
    Json arguments = Json::array();
    for (const auto& argument : launch.arguments) arguments.push_back(json_of(argument));
    Json one = {{"k", launch.kernel}, {"a", std::move(arguments)}, {"g", launch.global}};
    if (!launch.local.empty()) one["l"] = launch.local;
    if (!launch.offset.empty()) one["o"] = launch.offset;
    all.push_back(std::move(one));
  }
  return all;
}
std::vector<ConcreteLaunch> launches_from(const Json& json) {
  std::vector<ConcreteLaunch> launches;
  for (const auto& one : json) {
    ConcreteLaunch launch;
    launch.kernel = one.at("k");
    for (const auto& argument : one.at("a")) launch.arguments.push_back(argument_from(argument));
    launch.global = one.at("g").get<std::vector<std::size_t>>();
    if (one.contains("l")) launch.local = one.at("l").get<std::vector<std::size_t>>();
    if (one.contains("o")) launch.offset = one.at("o").get<std::vector<std::size_t>>();
    launches.push_back(std::move(launch));
  }
  return launches;
}

Json to_json(const std::vector<KernelResources>& kernels) {
  Json all = Json::array();
  for (const auto& kernel : kernels) all.push_back({{"kernel", kernel.kernel}, {"numbers", kernel.numbers}});
  return all;
}
std::vector<KernelResources> kernels_from(const Json& json) {
  std::vector<KernelResources> kernels;
  for (const auto& one : json)
    kernels.push_back({one.at("kernel"), one.at("numbers").get<std::map<std::string, std::int64_t>>()});
  return kernels;
}

}  // namespace hone::worker
