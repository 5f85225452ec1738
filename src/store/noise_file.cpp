#include "store/noise_file.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "os/files.hpp"

namespace hone::store {
namespace {

constexpr double kDay = 86400;
/// Half a program a processor more or less is another state of the machine.
constexpr double kOtherLoad = 0.5;

/// Threads of other programs that want to run, now. Averages over minutes would count our own runs of before: while a
/// floor is asked for, nothing of ours runs but this thread.
double others_running() {
  constexpr int kLooks = 10;
  double sum = 0;
  for (int look = 0; look < kLooks; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto text = os::read_text("/proc/loadavg");
    const auto words = text ? split(*text, ' ') : std::vector<std::string>();
    if (words.size() > 3) sum += std::max(0.0, std::strtod(words[3].c_str(), nullptr) - 1);
  }
  return sum / kLooks;
}

}  // namespace

MachineState machine_state() {
  MachineState state;
  state.load = others_running() / std::max(1U, std::thread::hardware_concurrency());
  if (const auto boot = os::read_text("/proc/sys/kernel/random/boot_id")) state.boot = trim(*boot);
  state.seconds = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return state;
}

std::string NoiseFile::file() const {
  const auto device = device_();
  return folder_ + "/noise/" + content_hash(device.name + device.driver) + ".json";
}

std::optional<double> NoiseFile::known() {
  const auto text = os::read_text(file());
  if (!text) return std::nullopt;
  const auto kept = nlohmann::json::parse(*text, nullptr, false);
  if (!kept.is_object()) return std::nullopt;
  const auto now = machine_();
  const auto number = [&](const char* name) {
    const auto at = kept.find(name);
    return at != kept.end() && at->is_number() ? at->get<double>() : NAN;
  };
  const double age = now.seconds - number("seconds");
  const bool same_state = kept.value("boot", nlohmann::json()) == now.boot && age >= 0 && age < kDay &&
                          std::abs(number("load") - now.load) < kOtherLoad;
  const double floor = number("floor");
  return same_state && floor >= 0 ? std::optional(floor) : std::nullopt;
}

/// A floor that cannot be kept is measured again: nothing is lost but time.
void NoiseFile::keep(double floor) {
  const auto state = machine_();
  const auto date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(state.seconds)));
  const nlohmann::json kept = {{"floor", floor},     {"date", date},       {"device", device_().name},
                               {"load", state.load}, {"boot", state.boot}, {"seconds", state.seconds}};
  (void)os::write_text(file(), kept.dump(2) + "\n");
}

}  // namespace hone::store
