#pragma once
// What a run waited for, one JSON line each: a key that says what was asked, the moment it was there, and what came.
// Written as it happens; a line that was torn by a kill is not read.

#include <deque>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone::app {

struct Event {
  Seconds at{0};
  nlohmann::json value;
};

class EventWriter {
 public:
  /// Empties a file that is there: a resumed run finds in the log what it had.
  static Result<EventWriter> create(const std::string& file);
  void add(const std::string& key, const Event& event);
  std::size_t count() const { return count_; }

 private:
  std::ofstream out_;
  std::size_t count_ = 0;
};

/// Events by key, each handed out once, in the order they were written.
class EventReader {
 public:
  static Result<EventReader> open(const std::string& file);
  std::optional<Event> take(const std::string& key);
  /// The first of that key, which stays.
  const Event* find(const std::string& key) const;
  std::size_t taken() const { return taken_; }

 private:
  std::map<std::string, std::deque<Event>> events_;
  std::size_t taken_ = 0;
};

}  // namespace hone::app
