#pragma once
// Completion: an extracted kernel becomes a program that runs alone. In: what source/ took out, its tree, and devices
// to measure on (or none). Out: a Mep with roles, extents, contents, launches, a contract and three workloads, and the
// reasons for each choice. The application is not read again.

#include "base/result.hpp"
#include "base/units.hpp"
#include "core/device_session.hpp"
#include "core/extraction.hpp"
#include "core/mep.hpp"
#include "ir/unit.hpp"

namespace hone::mep {

struct Limits {
  Milliseconds t_min{5};                     // a pass must be at least this long, so that differences can be measured
  double noise_factor = 50;                  // ... and this many times the timer's own noise
  Milliseconds t_max{60000};                 // a whole evaluation: some 40 passes
  Milliseconds pass_max{0};                  // of one pass, where less than its share of t_max; 0: that share
  Bytes s_max = mebibytes(512);              // of data; never above a quarter of the device's memory
  std::map<std::string, Value> set;          // values the person chose; taken as they are
  std::map<std::string, std::string> fills;  // contents that somebody proposed, by buffer
};

/// E-COMPLETE what has no completion yet (by name); E-BUILD the kernel does not build alone; E-EXTENT a buffer whose
/// size cannot be found.
Result<Mep> complete(const Extraction& extraction, const ir::Unit& unit, const Limits& limits, DeviceSessions* devices);

}  // namespace hone::mep
