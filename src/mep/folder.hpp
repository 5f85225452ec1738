#pragma once
// A Mep as a folder that builds and runs without Hone: `make && ./run --check --time --compare best`. In: values. Out:
// files as text; whoever calls writes them.

#include <string>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/format.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"
#include "mep/driver_expected.hpp"

namespace hone::mep {

/// mep.toml, the kernel, origin.json, expected.json, and for OpenCL problem.txt, Makefile and driver/. An empty
/// `origin_json` is left out. `device` gives the values of `device.*` in launches.
Result<Files> mep_folder(const Mep& mep, const std::string& origin_json, const Expected& expected,
                         const DeviceInfo& device = {});

/// What goes into best/: the winner as a template without parameters (so that `hone check X.mep --template X.mep/best`
/// judges it again) and, for OpenCL, the problem.txt the driver reads. Paths are inside best/.
Result<Files> best_folder(const Mep& mep, const Variant& winner, const DeviceInfo& device = {});

}  // namespace hone::mep
