#pragma once
// Parsed units of host code, kept in the state folder from one command to the next. Those of another build of hone are
// not used: they lie in a folder that is named for the program.

#include <string>

#include "source/host/ports.hpp"

namespace hone::app {

class FolderUnits : public host::UnitStore {
 public:
  FolderUnits();
  std::optional<std::string> find(const std::string& key) override;
  void keep(const std::string& key, const std::string& bytes) override;

 private:
  std::string folder_;  // empty: nothing is kept
};

}  // namespace hone::app
