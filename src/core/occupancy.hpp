#pragma once
// What of a kernel fits on one multiprocessor of a GPU, from its registers, its shared memory and the size of a block.
// It tells what cannot run at all; it says nothing about speed (measured on real GPUs: no rank correlation), so nothing
// is ever ranked by it. The tables are written down from the vendors' guides; where a driver is at hand, its answer is
// the better one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/language.hpp"

namespace hone {

/// What one multiprocessor has.
struct GpuLimits {
  std::string name;  // "sm_86", "gfx90a"
  Language language = Language::Cuda;
  std::int64_t lanes = 32;           // of a warp or wave
  std::int64_t waves = 48;           // that are resident at once; on AMD: for each of `simds`
  std::int64_t blocks = 16;          // that are resident at once
  std::int64_t registers = 65536;    // NVIDIA: of the multiprocessor; AMD: of a lane
  std::int64_t register_unit = 256;  // NVIDIA: of a warp; AMD: of a lane
  std::int64_t shared_bytes = 102400, shared_unit = 128, shared_reserved = 1024;
  std::int64_t block_shared_bytes = 101376;  // that one block may have
  std::int64_t block_threads = 1024;
  std::int64_t registers_of_a_thread = 255;
  std::int64_t simds = 1;
};
/// Nothing for an architecture whose limits are not known.
std::optional<GpuLimits> gpu_limits(std::string_view architecture);
std::vector<std::string> known_gpus();
/// "sm_86" is CUDA's, "gfx90a" HIP's; nothing for any other word.
std::optional<Language> language_of_architecture(std::string_view architecture);

struct KernelNeeds {
  std::int64_t registers = 0;     // of a thread; AMD: vector registers, accumulation ones included
  std::int64_t shared_bytes = 0;  // static and dynamic
  std::int64_t threads = 1;       // of a block
};
struct Occupancy {
  std::int64_t blocks = 0;  // on one multiprocessor at once; 0: it cannot run
  std::int64_t waves = 0, most_waves = 0;
  std::string limited_by;  // "registers", "shared memory", "threads", "blocks"
};
Occupancy occupancy(const GpuLimits& gpu, const KernelNeeds& needs);

}  // namespace hone
