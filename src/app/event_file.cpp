#include "app/event_file.hpp"

#include <filesystem>

namespace hone::app {

using EventJson = nlohmann::json;

Result<EventWriter> EventWriter::create(const std::string& file) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  EventWriter out;
  out.out_.open(file, std::ios::trunc);
  if (!out.out_) return fail("E-FILE", file + " cannot be written", "--recording DIR names another folder");
  return out;
}

void EventWriter::add(const std::string& key, const Event& event) {
  const EventJson line = {{"key", key}, {"at", event.at.count()}, {"value", event.value}};
  out_ << line.dump(-1, ' ', false, EventJson::error_handler_t::replace) << std::endl;
  ++count_;
}

Result<EventReader> EventReader::open(const std::string& file) {
  std::ifstream in(file);
  if (!in) return fail("E-REPLAY", "there is no recording in " + file, "--recording DIR names where it is");
  EventReader out;
  for (std::string line; std::getline(in, line);) {
    auto event = EventJson::parse(line, nullptr, false);
    if (!event.is_object() || !event.contains("key") || !event["key"].is_string()) continue;
    if (!event.contains("at") || !event["at"].is_number() || !event.contains("value")) continue;
    out.events_[event["key"].get<std::string>()].push_back({Seconds(event["at"].get<double>()), event["value"]});
  }
  return out;
}

std::optional<Event> EventReader::take(const std::string& key) {
  const auto found = events_.find(key);
  if (found == events_.end() || found->second.empty()) return std::nullopt;
  auto event = std::move(found->second.front());
  found->second.pop_front();
  ++taken_;
  return event;
}

const Event* EventReader::find(const std::string& key) const {
  const auto found = events_.find(key);
  return found == events_.end() || found->second.empty() ? nullptr : &found->second.front();
}

}  // namespace hone::app
