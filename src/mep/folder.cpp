#include "mep/folder.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "embedded/hone_mep.hpp"
#include "mep/driver_problem.hpp"

namespace hone::mep {
namespace {

using Parts = std::vector<std::pair<std::string_view, std::string_view>>;

/// What reads problem.txt, fills buffers and compares outputs, whatever the language.
const Parts& common_parts() {
  static const Parts parts = {
      {"common.c", embedded::driver_common_c},     {"common.h", embedded::driver_common_h},
      {"expected.c", embedded::driver_expected_c}, {"expected.h", embedded::driver_expected_h},
      {"fill.c", embedded::driver_fill_c},         {"fill.h", embedded::driver_fill_h},
      {"json.c", embedded::driver_json_c},         {"json.h", embedded::driver_json_h},
      {"outputs.c", embedded::driver_outputs_c},   {"outputs.h", embedded::driver_outputs_h},
      {"problem.c", embedded::driver_problem_c},   {"problem.h", embedded::driver_problem_h},
      {"run.c", embedded::driver_run_c},
  };
  return parts;
}
const Parts& opencl_parts() {
  static const Parts parts = {
      {"device.c", embedded::driver_device_c}, {"device.h", embedded::driver_device_h},
      {"image.c", embedded::driver_image_c},   {"image.h", embedded::driver_image_h},
      {"opencl.h", embedded::driver_opencl_h},
  };
  return parts;
}
const Parts& gpu_parts() {
  static const Parts parts = {
      {"device.c", embedded::driver_gpu_device_c},     {"device.h", embedded::driver_gpu_device_h},
      {"emulated.h", embedded::driver_gpu_emulated_h}, {"entries.h", embedded::driver_gpu_entries_h},
      {"image.c", embedded::driver_gpu_image_c},       {"image.h", embedded::driver_gpu_image_h},
      {"program.h", embedded::driver_gpu_program_h},   {"source.c", embedded::driver_gpu_source_c},
      {"source.h", embedded::driver_gpu_source_h},     {"hip_words.h", embedded::emulator_hip_words_h},
  };
  return parts;
}

/// The compiler of the language makes a library of each source: how it is called, and by what it knows a source.
std::string gpu_makefile(Language language) {
  const bool cuda = language == Language::Cuda;
  const auto text = replace_all(std::string(embedded::driver_gpu_Makefile), "@GPU_LINES@",
                                cuda ? "NVCC ?= nvcc\nNVCCFLAGS ?= -O3 -arch=native\n"
                                       "COMPILER = $(NVCC) $(NVCCFLAGS) -w -shared -Xcompiler -fPIC"
                                     : "HIPCC ?= hipcc\nHIPCCFLAGS ?= -O3\n"
                                       "COMPILER = $(HIPCC) $(HIPCCFLAGS) -w -shared -fPIC");
  return replace_all(text, "@EXTENSION@", cuda ? "cu" : "cpp");
}

Files driver_files(Language language) {
  const bool opencl = language == Language::OpenCL;
  Files files;
  for (const auto* parts : {&common_parts(), opencl ? &opencl_parts() : &gpu_parts()})
    for (const auto& [name, text] : *parts) files.emplace("driver/" + std::string(name), text);
  files.emplace("Makefile", opencl ? std::string(embedded::driver_Makefile) : gpu_makefile(language));
  return files;
}

}  // namespace

Result<Files> mep_folder(const Mep& mep, const std::string& origin_json, const Expected& expected,
                         const DeviceInfo& device) {
  auto files = to_files(mep);
  if (!origin_json.empty()) files["origin.json"] = origin_json;
  files["expected.json"] = to_json(expected);
  auto problem = problem_text(mep, {mep.language, mep.source, {}, mep.options}, device);
  if (!problem) return fail(std::move(problem).error().context("writing problem.txt"));
  files["problem.txt"] = std::move(*problem);
  files.merge(driver_files(mep.language));
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
  auto problem = problem_text(mep, winner, device);
  if (!problem) return fail(std::move(problem).error().context("writing best/problem.txt"));
  files["problem.txt"] = std::move(*problem);
  return files;
}

}  // namespace hone::mep
