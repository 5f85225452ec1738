#pragma once
// What reading host code may be given from outside: a store for units that were parsed before, and someone who wants to
// know how far it is. Both may be absent.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace hone::host {

/// Parsed units by what they were made of. What is not found is parsed again.
struct UnitStore {
  virtual ~UnitStore() = default;
  virtual std::optional<std::string> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const std::string& bytes) = 0;
};

struct ReadPorts {
  UnitStore* units = nullptr;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

}  // namespace hone::host
