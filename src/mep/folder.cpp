#include "mep/folder.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "embedded/hone_mep.hpp"
#include "mep/driver_problem.hpp"

namespace hone::mep {
namespace {

/// The driver's parts by the names they have in the folder.
Files driver_files() {
  const std::array<std::pair<std::string_view, std::string_view>, 19> parts = {{
      {"Makefile", embedded::driver_Makefile},
      {"driver/common.c", embedded::driver_common_c},
      {"driver/common.h", embedded::driver_common_h},
      {"driver/device.c", embedded::driver_device_c},
      {"driver/device.h", embedded::driver_device_h},
      {"driver/expected.c", embedded::driver_expected_c},
      {"driver/expected.h", embedded::driver_expected_h},
      {"driver/fill.c", embedded::driver_fill_c},
      {"driver/fill.h", embedded::driver_fill_h},
      {"driver/image.c", embedded::driver_image_c},
      {"driver/image.h", embedded::driver_image_h},
      {"driver/json.c", embedded::driver_json_c},
      {"driver/json.h", embedded::driver_json_h},
      {"driver/opencl.h", embedded::driver_opencl_h},
      {"driver/outputs.c", embedded::driver_outputs_c},
      {"driver/outputs.h", embedded::driver_outputs_h},
      {"driver/problem.c", embedded::driver_problem_c},
      {"driver/problem.h", embedded::driver_problem_h},
      {"driver/run.c", embedded::driver_run_c},
  }};
  Files files;
  for (const auto& [name, text] : parts) files.emplace(name, text);
  return files;
}

}  // namespace

Result<Files> mep_folder(const Mep& mep, const std::string& origin_json, const Expected& expected,
                         const DeviceInfo& device) {
  auto files = to_files(mep);
  if (!origin_json.empty()) files["origin.json"] = origin_json;
  files["expected.json"] = to_json(expected);
  if (mep.language != Language::OpenCL) return files;
  auto problem = problem_text(mep, {mep.language, mep.source, {}, mep.options}, device);
  if (!problem) return fail(std::move(problem).error().context("writing problem.txt"));
  files["problem.txt"] = std::move(*problem);
  files.merge(driver_files());
  return files;
}

Result<Files> best_folder(const Mep& mep, const Variant& winner, const DeviceInfo& device) {
  Template fixed;
  fixed.name = "best";
  fixed.language = winner.language;
  fixed.source = winner.source;
  fixed.launches = winner.launches;
  fixed.options = winner.options;
  fixed.rationale = "the winner, with every parameter fixed";
  auto files = to_files(fixed);
  if (winner.language != Language::OpenCL) return files;
  auto problem = problem_text(mep, winner, device);
  if (!problem) return fail(std::move(problem).error().context("writing best/problem.txt"));
  files["problem.txt"] = std::move(*problem);
  return files;
}

}  // namespace hone::mep
