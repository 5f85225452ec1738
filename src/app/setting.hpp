#pragma once
// What several commands share: where state lives, which device is asked, how folders become values.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "core/format.hpp"
#include "core/origin.hpp"
#include "core/trial_log.hpp"
#include "worker/client.hpp"

namespace hone::app {

/// --device and --worker.
struct DeviceChoice {
  std::string device;
  std::string worker;  // a command prefix, "ssh gpu01 hone-worker"; empty: the hone-worker beside this program
  void add_options(CLI::App& command);
  worker::WorkerOptions options() const;
  /// The same for kernels in that language: where nobody chose a device, the first that takes it. E-LANGUAGE when the
  /// one that was chosen does not.
  Result<DeviceChoice> speaking(Language language) const;
};

/// The clock of a command: of its budget and of its ledger.
Seconds steady_now();

/// $XDG_STATE_HOME/hone, or ~/.local/state/hone; made when it is not there.
Result<std::string> state_folder();
/// Before a run: the oldest goes while the state folder is larger than HONE_STATE_LIMIT ("500M"), 1 GiB when that is
/// not set.
Status keep_state_small();
/// The trial log in the state folder.
Result<std::unique_ptr<TrialLog>> open_log();

Result<Mep> load_mep(const std::string& folder);
Result<Template> load_template(const std::string& folder);
/// origin.json of a MEP folder; E-ORIGIN with what to do when there is none.
Result<Origin> load_origin(const std::string& folder);

/// Identity of a Mep in the log.
std::string hash_of(const Mep& mep);
/// The same under a person's own check: what another rule called right or wrong says nothing under this one.
std::string judged_as(const Mep& mep, const std::string& check_command);

}  // namespace hone::app
