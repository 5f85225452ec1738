#pragma once
// From an application to a MEP: taken out, completed, and as a folder that runs without Hone.

#include <optional>
#include <string>
#include <vector>

#include "app/console.hpp"
#include "app/opened_model.hpp"
#include "app/setting.hpp"
#include "app/shape_options.hpp"
#include "core/format.hpp"
#include "core/origin.hpp"
#include "core/time_spent.hpp"

namespace hone::app {

struct CompletionRequest {
  std::string application, kernel;
  std::vector<std::string> defines;
  std::string file;              // where the kernel is defined, when several files have one of that name
  std::vector<std::string> set;  // NAME=VALUE: sizes and other values, taken as they are
  std::optional<double> tolerance;
  ShapeOptions shapes;
  double t_min = 5, t_max = 60000;  // milliseconds of a pass at least, of an evaluation at most
  double pass_max = 0;              // milliseconds of a pass at most, where a budget asks for less than t_max; 0: none
  std::uint64_t s_max = 512;        // MiB of data
  DeviceChoice device;
  ModelChoice model;           // asked where the code does not say enough; none when it has no name
  bool only_recorded = false;  // its answers are taken where they are kept; it is not asked
};

struct Completed {
  Mep mep;
  Origin origin;
  Files folder;
  std::vector<std::string> notes;
  std::string asked;  // where a model's answers to what was missing are; empty: none was asked
};

/// -D, --file, --set, --shape, --held-out and --tolerance.
void add_completion_options(CLI::App& command, CompletionRequest& request);

Result<Completed> complete_application(const CompletionRequest& request, Console& console, TimeLedger& ledger);

}  // namespace hone::app
